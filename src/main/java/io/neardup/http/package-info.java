/** What people and probes see of an instance over HTTP. It only reads, and no thread of it touches a store. */
@NullMarked
package io.neardup.http;

import org.jspecify.annotations.NullMarked;

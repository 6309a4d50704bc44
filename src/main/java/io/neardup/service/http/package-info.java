/** Health, metrics, the page and checks over HTTP. */
@NullMarked
package io.neardup.service.http;

import org.jspecify.annotations.NullMarked;

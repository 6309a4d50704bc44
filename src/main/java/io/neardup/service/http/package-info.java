/**
 * Health, metrics, the page and checks over HTTP.
 *
 * <p>Internal, but for {@link HttpEndpoints}.
 */
@NullMarked
package io.neardup.service.http;

import org.jspecify.annotations.NullMarked;

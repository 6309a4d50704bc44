package io.neardup.engine.protocol;

/**
 * Names a check.
 *
 * @param checker the instance of the service that was asked, a random number of this start
 * @param number counts its checks, from 1
 */
public record CheckId(long checker, long number) {}

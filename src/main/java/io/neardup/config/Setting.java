package io.neardup.config;

/**
 * A value as somebody wrote it.
 *
 * @param origin where, for messages: {@code file F}, {@code environment variable V} or {@code --set}
 */
record Setting(String key, String value, String origin) {

    /** The key and the value unless it is secret. */
    String shown() {
        return key + " = " + Secrets.masked(key, value);
    }
}

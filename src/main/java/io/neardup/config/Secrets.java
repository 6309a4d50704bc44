package io.neardup.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Keeps values out of logs and messages that nobody else should see, by their keys. */
final class Secrets {
    static final String MASK = "(hidden)";

    private static final Pattern SECRET =
            Pattern.compile("password|passwd|secret|token|credential|sasl\\.jaas\\.config|keystore\\.key$"
                    + "|seed(?!\\.(topics|judge|retention))");

    private Secrets() {}

    static String masked(String key, String value) {
        return isSecret(key) ? MASK : value;
    }

    /** The path of a file is no secret, whatever the file holds. */
    private static boolean isSecret(String key) {
        return SECRET.matcher(key.toLowerCase(Locale.ROOT)).find() && !key.endsWith(".file");
    }
}

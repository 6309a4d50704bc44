package io.neardup.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long documents are remembered, as people write it. */
final class RetentionTime {
    static final String FOREVER = "forever";

    private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})([smhd])");

    private RetentionTime() {}

    static boolean isValid(String written) {
        return written.equals(FOREVER) || TIME.matcher(written).matches();
    }

    /** In milliseconds; the highest number for ever. */
    static long millis(String written) {
        Matcher time = TIME.matcher(written);
        if (!time.matches()) {
            return Long.MAX_VALUE;
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "s" -> Duration.ofSeconds(count).toMillis();
            case "m" -> Duration.ofMinutes(count).toMillis();
            case "h" -> Duration.ofHours(count).toMillis();
            default -> Duration.ofDays(count).toMillis();
        };
    }
}

package io.neardup.tools.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What an option {@code --since} is given. */
final class SinceTime {
    private SinceTime() {}

    /** In milliseconds; empty where it is not given. What is no time is wrong usage. */
    static OptionalLong millis(@Nullable String given, CommandTalk talk) {
        if (given == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(
                    given.matches("[1-9][0-9]{0,5}[mhd]")
                            ? System.currentTimeMillis() - duration(given).toMillis()
                            : Instant.parse(given).toEpochMilli());
        } catch (DateTimeException e) {
            throw talk.wrong("--since: expected a time such as 12h, 7d or 2026-01-31T08:00:00Z, found " + given);
        }
    }

    private static Duration duration(String given) {
        long count = Long.parseLong(given.substring(0, given.length() - 1));
        return switch (given.charAt(given.length() - 1)) {
            case 'm' -> Duration.ofMinutes(count);
            case 'h' -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }
}

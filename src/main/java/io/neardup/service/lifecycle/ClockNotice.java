package io.neardup.service.lifecycle;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;

/** That the clock of the host was set back while the service runs, be it by mistake or after one. */
final class ClockNotice {
    /** More than what time synchronization sets at once while all is well. */
    private static final long AHEAD_MILLIS_MANY = 2_000;

    private ClockNotice() {}

    /** What to tell at the start, where another class of Kafka's than ours tells its clients the time. */
    static Optional<String> ofClassPath() {
        return Time.SYSTEM instanceof SteadyClock.Reader
                ? Optional.empty()
                : Optional.of(
                        "expected the jar of neardup before kafka-clients on the class path, found it behind: where"
                                + " the clock of this host is set back, nothing leaves until it has caught up; put it"
                                + " first");
    }

    static Optional<String> note(long aheadMillis) {
        if (aheadMillis < AHEAD_MILLIS_MANY) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "the clock of this host is behind that of the service by %,d s: it was set back, or had been ahead;"
                        + " that of the service goes on more slowly until both agree, in %,d min at the latest; nothing"
                        + " is lost. If the host's is right now, a"
                        + " restart takes it at once; else look at its time synchronization",
                TimeUnit.MILLISECONDS.toSeconds(aheadMillis),
                TimeUnit.MILLISECONDS.toMinutes(SteadyClock.CATCHING_UP * aheadMillis) + 1));
    }
}

package io.neardup.streams.topology;

import io.neardup.config.Representative;
import io.neardup.config.Representative.Rule;
import io.neardup.record.Story;
import io.neardup.streams.store.StoryRow.Carrier;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which document of a story stands for it: the least by an order, so that it does not matter when each was met.
 *
 * @param order no two documents are equal in it
 * @param rule by which one was chosen
 */
record Representatives(Comparator<Carrier> order, Function<Carrier, Rule> rule) {
    /** In time, and at the same time by place. */
    static final Comparator<Carrier> IN_TIME = Comparator.comparingLong(
                    (Carrier carrier) -> carrier.from().timestampMillis())
            .thenComparing(carrier -> carrier.from().place(), Story.BY_PLACE);

    /** @param publishers of a source; empty of the unknown one */
    static Representatives of(Representative setting, Function<String, Optional<String>> publishers) {
        return switch (setting.rule()) {
            case FIRST -> always(Rule.FIRST, IN_TIME);
            case NEWEST -> always(Rule.NEWEST, IN_TIME.reversed());
            case LONGEST ->
                always(
                        Rule.LONGEST,
                        Comparator.comparingInt(
                                        (Carrier carrier) -> -carrier.from().length())
                                .thenComparing(IN_TIME));
            case SOURCE -> {
                List<String> names = setting.sources().stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .toList();
                Function<Carrier, Integer> rank =
                        carrier -> rank(names, carrier.from().source(), publishers);
                yield new Representatives(
                        Comparator.comparing(rank).thenComparing(IN_TIME),
                        carrier -> rank.apply(carrier) < names.size() ? Rule.SOURCE : Rule.FIRST);
            }
        };
    }

    private static Representatives always(Rule rule, Comparator<Carrier> order) {
        return new Representatives(order, unused -> rule);
    }

    private static int rank(List<String> names, String source, Function<String, Optional<String>> publishers) {
        Optional<String> publisher = publishers.apply(source);
        return IntStream.range(0, names.size())
                .filter(at -> names.get(at).equals(source.strip().toLowerCase(Locale.ROOT))
                        || publisher.filter(names.get(at)::equals).isPresent())
                .findFirst()
                .orElse(names.size());
    }

    Carrier best(@Nullable Carrier before, Carrier other) {
        return before == null || order.compare(other, before) < 0 ? other : before;
    }
}

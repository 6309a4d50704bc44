package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.neardup.config.Representative;
import io.neardup.config.Representative.Rule;
import io.neardup.record.Publishers;
import io.neardup.record.Story;
import io.neardup.streams.store.StoryEvent.Copy;
import io.neardup.streams.store.StoryRow;
import io.neardup.streams.store.StoryRow.Carrier;
import io.neardup.streams.store.StoryRow.SourceRow;
import io.neardup.streams.store.StoryRow.Sources;
import io.neardup.streams.store.StoryStore;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Folds copies into the rows of their stories. What comes out does not depend on their order.
 *
 * <p>A copy changes the row of its story, which has its sources as long as they are few; else that of its source, too.
 * Publishers are those that the settings say at the time. Beyond {@value #SOURCES_MAX} sources those are kept whose
 * names have the least hashes: a source that had to go once never comes back, as others with lesser hashes are there by
 * then, so those that are kept have all their copies. From then on publishers are estimated by an UltraLogLog (Ertl
 * 2023, arXiv 2308.16862) of {@value #SKETCH_PRECISION} bits: 4 KB for a standard error of 1.2 %.
 */
final class StoryFold {
    static final int SOURCES_MAX = 1_000;
    static final int LATEST_MAX = 10;
    private static final int SKETCH_PRECISION = 12;
    private static final int PUBLISHERS_REMEMBERED_MAX = 2_000;

    /** Rows are laid out by it, and sketches filled: another one is another layout. */
    private static final Hasher64 HASH = Hashing.komihash5_0();

    /** In time, and at the same time by place. */
    private static final Comparator<Carrier> IN_TIME = Comparator.comparingLong(
                    (Carrier carrier) -> carrier.from().timestampMillis())
            .thenComparing(carrier -> carrier.from().place(), Story.BY_PLACE);

    private final StoryStore store;
    private final Function<String, Optional<String>> publishers;
    private final Rule rule;
    /** Sources or publishers, in lower case: of the first of them that carried a story is its representative. */
    private final List<String> preferred;
    /** The least represents a story, so that it does not matter when each was met. No two documents are equal in it. */
    private final Comparator<Carrier> order;

    /** @param publishers of a source, always the same; empty of the unknown one */
    StoryFold(StoryStore store, Function<String, Optional<String>> publishers, Representative representative) {
        this.store = store;
        this.publishers = remembered(publishers);
        this.rule = representative.rule();
        this.preferred = representative.sources().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .toList();
        this.order = switch (rule) {
            case FIRST -> IN_TIME;
            case NEWEST -> IN_TIME.reversed();
            case LONGEST ->
                Comparator.comparingInt((Carrier carrier) -> -carrier.from().length())
                        .thenComparing(IN_TIME);
            case SOURCE -> Comparator.comparingInt(this::rank).thenComparing(IN_TIME);
        };
    }

    /** Each revision asks for those of all its sources, and a look into the list of suffixes is dear. */
    private static Function<String, Optional<String>> remembered(Function<String, Optional<String>> publishers) {
        Map<String, Optional<String>> known = new HashMap<>();
        return source -> {
            if (known.size() >= PUBLISHERS_REMEMBERED_MAX) {
                known.clear();
            }
            return known.computeIfAbsent(source, publishers);
        };
    }

    /**
     * Takes a copy in.
     *
     * @param row of its story, as it is now
     * @return as it is to be stored; the rows of sources and publishers are
     */
    StoryRow take(StoryRow row, Copy event) {
        Carrier original = new Carrier(event.originalId(), event.original());
        Carrier copy = new Carrier(event.id(), event.copy());
        Sources known = row.original() == null ? count(row.sources(), event.story(), original, 0) : row.sources();
        SortedMap<Integer, Long> similarities = new TreeMap<>(row.similarities());
        similarities.merge(hundredths(event.similarity()), 1L, Long::sum);
        return new StoryRow(
                original,
                best(best(row.representative(), original), copy),
                row.copies() + 1,
                Math.min(row.firstMillis(), Math.min(time(original), time(copy))),
                Math.max(row.lastMillis(), Math.max(time(original), time(copy))),
                withLatest(row.latest(), copy),
                similarities,
                Math.min(row.similarityMin(), event.similarity()),
                count(known, event.story(), copy, 1),
                row.writing());
    }

    /**
     * Takes over what another index has of a story. Of its documents the one that is best by these settings represents
     * it, as far as the row still has them.
     *
     * @param here where its revisions stand in this index
     */
    StoryRow inherit(StoryRow inherited, StoryRow.Writing here) {
        Carrier representative = Stream.concat(
                        Stream.of(inherited.representative(), inherited.original())
                                .filter(Objects::nonNull),
                        inherited.latest().stream())
                .min(order)
                .orElse(null);
        return inherited.with(representative, here.after(inherited.writing()));
    }

    private static long time(Carrier carrier) {
        return carrier.from().timestampMillis();
    }

    /** Rounded down; a double just below a hundredth, as .29 is, counts as that. */
    private static int hundredths(double similarity) {
        return (int) Math.min(100, Math.floor(similarity * 100 + 1e-9));
    }

    private static List<Carrier> withLatest(List<Carrier> latest, Carrier copy) {
        return Stream.concat(latest.stream(), Stream.of(copy))
                .sorted(IN_TIME.reversed())
                .limit(LATEST_MAX)
                .toList();
    }

    // ---- sources and publishers

    private Sources count(Sources known, String story, Carrier carrier, int copies) {
        SourceRow added = new SourceRow(nameOf(carrier.from().source()), copies, time(carrier));
        if (known.areFew()) {
            SortedMap<String, SourceRow> few = new TreeMap<>();
            known.few().forEach(source -> few.put(source.source(), source));
            few.merge(added.source(), added, StoryFold::sum);
            if (few.size() <= StoryRow.FEW_MAX) {
                return Sources.few(List.copyOf(few.values()));
            }
        }
        return countInRows(known.areFew() ? spread(known, story) : known, story, added);
    }

    private static SourceRow sum(SourceRow known, SourceRow added) {
        long first = Math.min(known.firstMillis(), added.firstMillis());
        return new SourceRow(known.source(), known.copies() + added.copies(), first);
    }

    /** Gives each of its few sources a row of its own. */
    private Sources spread(Sources known, String story) {
        known.few().forEach(source -> store.put(story, hash(source.source()), source));
        return new Sources(List.of(), known.count(), true);
    }

    private Sources countInRows(Sources known, String story, SourceRow added) {
        long hash = hash(added.source());
        Optional<SourceRow> before = store.source(story, hash, added.source());
        if (before.isPresent()) {
            store.put(story, hash, sum(before.get(), added));
            return known;
        }
        if (known.exact() && known.count() < SOURCES_MAX) {
            store.put(story, hash, added);
            return new Sources(List.of(), known.count() + 1, true);
        }
        estimate(story, added.source());
        store.putInsteadOfLast(story, hash, added);
        return new Sources(List.of(), SOURCES_MAX, false);
    }

    private static long hash(String name) {
        return HASH.hashBytesToLong(name.getBytes(UTF_8));
    }

    static String nameOf(String source) {
        return source.isEmpty() ? Publishers.UNKNOWN : source;
    }

    /** With one more source; as long as there is no sketch all others have rows. */
    private void estimate(String story, String source) {
        Optional<byte[]> before = store.sketch(story);
        UltraLogLog sketch = before.map(UltraLogLog::wrap).orElseGet(() -> UltraLogLog.create(SKETCH_PRECISION));
        AtomicBoolean changed = new AtomicBoolean(before.isEmpty());
        Stream<String> others =
                before.isEmpty() ? store.sources(story).stream().map(SourceRow::source) : Stream.empty();
        Stream.concat(others, Stream.of(source))
                .flatMap(each -> publishers.apply(each).stream())
                .forEach(name -> sketch.add(hash(name), unused -> changed.setPlain(true)));
        if (changed.getPlain()) {
            store.putSketch(story, sketch.getState());
        }
    }

    /** @param listed all sources, where all are kept */
    private long publishers(String place, Sources known, List<Story.Source> listed) {
        return known.exact()
                ? listed.stream()
                        .map(Story.Source::publisher)
                        .filter(Objects::nonNull)
                        .distinct()
                        .count()
                : store.sketch(place)
                        .map(sketch -> Math.round(UltraLogLog.wrap(sketch).getDistinctCountEstimate()))
                        .orElse((long) known.count()); // Of a story that is taken over the row may come first.
    }

    // ---- as others see it

    /** A story with at least one copy, and the revision that its row has. */
    Story story(String place, StoryRow row) {
        Carrier original = Objects.requireNonNull(row.original(), place);
        Carrier representative = Objects.requireNonNull(row.representative(), place);
        List<Story.Source> sources = (row.sources().areFew() ? row.sources().few() : store.sources(place))
                .stream().map(this::source).sorted(Story.Source.MOST_FIRST).toList();
        return new Story(
                place,
                original.id(),
                row.writing().revision(),
                row.firstMillis(),
                row.lastMillis(),
                row.copies(),
                publishers(place, row.sources(), sources),
                row.sources().exact(),
                sources,
                new Story.Representative(
                        representative.id(),
                        representative.from().place(),
                        nameOf(representative.from().source()),
                        time(representative),
                        representative.from().length(),
                        ruleOf(representative).name().toLowerCase(Locale.ROOT)),
                row.latest().stream().map(Carrier::id).toList(),
                new Story.Similarities(row.similarityMin(), median(row)),
                row.writing().endedMillis() > 0);
    }

    private Story.Source source(SourceRow row) {
        String publisher = publishers.apply(row.source()).orElse(null);
        return new Story.Source(row.source(), publisher, row.copies(), row.firstMillis());
    }

    private static double median(StoryRow row) {
        long before = 0;
        for (var hundredth : row.similarities().entrySet()) {
            before += hundredth.getValue();
            if (2 * before >= row.copies()) {
                return Math.max(row.similarityMin(), hundredth.getKey() / 100.0);
            }
        }
        throw new IllegalStateException("a story: expected a similarity of each copy, found " + row.similarities());
    }

    // ---- who stands for it

    private Carrier best(@Nullable Carrier before, Carrier other) {
        return before == null || order.compare(other, before) < 0 ? other : before;
    }

    private Rule ruleOf(Carrier representative) {
        return rule == Rule.SOURCE && rank(representative) == preferred.size() ? Rule.FIRST : rule;
    }

    /** The place of its source or publisher among those that are preferred; behind them where it is none. */
    private int rank(Carrier carrier) {
        String source = carrier.from().source();
        return Stream.concat(Stream.of(source.strip().toLowerCase(Locale.ROOT)), publishers.apply(source).stream())
                .mapToInt(preferred::indexOf)
                .filter(at -> at >= 0)
                .min()
                .orElse(preferred.size());
    }
}

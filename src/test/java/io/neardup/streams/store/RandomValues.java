package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Decision.Bound;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.Remove;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random values, extremes as often as not. */
final class RandomValues {
    private static final List<String> TEXTS =
            List.of("", "a", "d-17", "für", "日本", "\uD83D\uDE00".repeat(100), "x".repeat(512), "\0\n\t");

    private final Random random;

    RandomValues(long seed) {
        random = new Random(seed);
    }

    int upTo(int max) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> max;
            default -> (int) Math.floorMod(random.nextLong() >>> random.nextInt(64), max + 1L);
        };
    }

    long upTo(long max) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> max;
            default -> (random.nextLong() >>> (1 + random.nextInt(62))) & max;
        };
    }

    long anyLong() {
        long[] extremes = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0};
        return random.nextBoolean() ? random.nextLong() : extremes[random.nextInt(4)];
    }

    /** From 0 on. */
    long number() {
        return upTo(Long.MAX_VALUE);
    }

    boolean flag() {
        return random.nextBoolean();
    }

    Similarity similarity() {
        return new Similarity(share(), share(), share(), share());
    }

    Origin origin() {
        RecordKey key = random.nextBoolean() ? null : new RecordKey(random.nextLong(), random.nextLong());
        return new Origin(key, upTo(Long.MAX_VALUE), provenance(), random.nextBoolean() ? null : ref());
    }

    Provenance provenance() {
        return new Provenance(text(), text(), anyLong(), upTo(Integer.MAX_VALUE));
    }

    private double share() {
        double[] values = {0, 1, 0.7, Double.MIN_VALUE, Double.NaN, random.nextDouble()};
        return values[random.nextInt(6)];
    }

    String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(3) * random.nextInt(100)];
        random.nextBytes(bytes);
        return bytes;
    }

    byte @Nullable [] bytesOrNull() {
        return random.nextInt(3) == 0 ? null : bytes();
    }

    DocumentRef ref() {
        return new DocumentRef(upTo(DocumentRef.COORDINATORS_MAX - 1), upTo(DocumentRef.SEQUENCE_MAX));
    }

    Evidence evidence() {
        return Evidence.of(bytes());
    }

    DocumentRefs refs() {
        return DocumentRefs.of(listOf(this::ref));
    }

    BitSketch sketch() {
        return BitSketch.owning(random.longs(random.nextInt(3)).toArray());
    }

    Set<Bound> bounds() {
        return Stream.of(Bound.values()).filter(bound -> random.nextBoolean()).collect(Collectors.toSet());
    }

    BandKeys keys() {
        return BandKeys.owning(
                random.longs(random.nextBoolean() ? 0 : random.nextInt(30)).toArray());
    }

    <T> List<T> listOf(Supplier<T> element) {
        return Stream.generate(element)
                .limit(random.nextBoolean() ? 0 : random.nextInt(8))
                .toList();
    }

    ToBands toBands() {
        return random.nextInt(3) == 0
                ? new Lookup(asker(), upTo(Integer.MAX_VALUE), keys())
                : new Remove(ref(), keys());
    }

    /** Now and then it lies outside. */
    private DocumentRef asker() {
        return random.nextInt(4) == 0 ? DocumentRef.outside(upTo(DocumentRef.SEQUENCE_MAX)) : ref();
    }

    private Found found() {
        return new Found(refs(), upTo(Integer.MAX_VALUE), upTo(Integer.MAX_VALUE));
    }

    @Nullable
    Neighbour neighbourOrNone() {
        return random.nextBoolean() ? null : neighbour();
    }

    private Neighbour neighbour() {
        return new Neighbour(ref(), text(), provenance(), similarity(), random.nextBoolean());
    }

    ToCoordinator toCoordinator() {
        return switch (random.nextInt(8)) {
            case 0 -> new Candidates(asker(), upTo(Integer.MAX_VALUE), upTo(Integer.MAX_VALUE), found());
            case 1 -> new Started(ref().coordinator());
            case 2, 3 ->
                new Verify(
                        asker(),
                        upTo(Integer.MAX_VALUE),
                        upTo(Integer.MAX_VALUE),
                        upTo(Long.MAX_VALUE),
                        evidence(),
                        sketch(),
                        refs());
            case 5 -> new TombstoneArrived(new RecordKey(anyLong(), anyLong()));
            case 6 -> new NewVersion(ref().coordinator(), text());
            default ->
                new Answer(
                        asker(),
                        upTo(Integer.MAX_VALUE),
                        upTo(Integer.MAX_VALUE),
                        listOf(this::neighbour),
                        neighbourOrNone(),
                        refs(),
                        refs(),
                        upTo(Integer.MAX_VALUE),
                        upTo(Integer.MAX_VALUE));
        };
    }

    /** The bytes with one to three bytes changed, or cut off, or with more behind. */
    byte[] mutated(byte[] bytes) {
        byte[] mutated =
                switch (random.nextInt(4)) {
                    case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
                    case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
                    default -> bytes.clone();
                };
        for (int i = 1 + random.nextInt(3); i > 0 && mutated.length > 0; i--) {
            byte[] likely = {0, 1, 5, -1, 127, -128, (byte) random.nextInt()};
            mutated[random.nextInt(mutated.length)] = likely[random.nextInt(7)];
        }
        return mutated;
    }
}

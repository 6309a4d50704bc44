package io.neardup.jmh;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.store.StateCodec;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;

/** Messages in batches of 50, and an original, to bytes and back. */
public class CodecBenchmark extends StepBenchmark {
    private static final int BATCH = 50;
    /** Those of one of four index partitions. */
    private static final int BANDS = 7;

    private static final int TEXT_BYTES = 1_900;
    private static final Provenance PROVENANCE = new Provenance("documents-0-1234567", "", 1_767_225_600_000L, 2_000);

    private final Batch<Message> batch = MessageCodec.batch();
    private final SplittableRandom random = new SplittableRandom(42);
    private final Evidence evidence = Evidence.of(randomBytes(TEXT_BYTES));
    private final Origin origin = new Origin(null, 1_767_225_600_000L, PROVENANCE);
    private final BitSketch sketch = BitSketch.of(new int[130]);
    private final Original original =
            new Original(new SignedDocument("news-1234567", keys(), evidence, sketch), origin);
    private final List<Lookup> lookups = batch(i -> new Lookup(ref(i), 1, keys()));
    private final List<Candidates> candidates =
            batch(i -> new Candidates(ref(i), 1, 3, new Found(DocumentRefs.of(ref(i + 100_000)), 0, 0)));
    private final List<ToCoordinator> verifications = batch(i -> i % 2 == 0
            ? new Verify(ref(i), 1, 0, 1_767_225_600_000L + i, evidence, sketch, DocumentRefs.of(ref(i + 100_000)))
            : answer(ref(i), new Neighbour(ref(i + 100_000), "news-1234567", PROVENANCE, Similarity.of(0.85), false)));

    private final byte[] lookupsBytes = encode(lookups);
    private final byte[] candidatesBytes = encode(candidates);
    private final byte[] verificationBytes = encode(verifications);
    private final byte[] originalBytes = StateCodec.ORIGINAL.encode(original);

    private static <M> List<M> batch(IntFunction<M> make) {
        return IntStream.range(0, BATCH).mapToObj(make).toList();
    }

    private byte[] encode(List<? extends Message> messages) {
        messages.forEach(batch::add);
        return batch.take();
    }

    private static Answer answer(DocumentRef asker, Neighbour best) {
        return new Answer(asker, 1, 0, List.of(best), null, DocumentRefs.NONE, DocumentRefs.NONE, 1, 0);
    }

    private static DocumentRef ref(int sequence) {
        return new DocumentRef(sequence & 3, 1_000_000L + sequence);
    }

    private BandKeys keys() {
        return BandKeys.owning(random.longs(BANDS).toArray());
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Benchmark
    public byte[] encodeLookups() {
        return encode(lookups);
    }

    @Benchmark
    public List<ToBands> decodeLookups() {
        return MessageCodec.decodeToBands(lookupsBytes);
    }

    @Benchmark
    public byte[] encodeCandidates() {
        return encode(candidates);
    }

    @Benchmark
    public List<ToCoordinator> decodeCandidates() {
        return MessageCodec.decodeToCoordinator(candidatesBytes);
    }

    @Benchmark
    public byte[] encodeVerification() {
        return encode(verifications);
    }

    @Benchmark
    public List<ToCoordinator> decodeVerification() {
        return MessageCodec.decodeToCoordinator(verificationBytes);
    }

    @Benchmark
    public byte[] encodeOriginal() {
        return StateCodec.ORIGINAL.encode(original);
    }

    @Benchmark
    public Original decodeOriginal() {
        return StateCodec.ORIGINAL.decode(originalBytes);
    }
}

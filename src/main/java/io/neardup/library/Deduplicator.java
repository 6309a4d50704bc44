package io.neardup.library;

import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.config.Signing.DocumentSigner;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import io.neardup.engine.protocol.BandIndex;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Partitions;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds near-duplicates in memory, without a cluster: of documents that come one after the other it decides each as the
 * service does on one input partition under the same settings and hash seed, for the same classes do it. What is unique
 * stays in memory, as long as {@code neardup.retention} says, and is gone with the process. Beyond
 * three to four million documents at once {@link #add} throws an {@link IllegalStateException}.
 *
 * <p>Not thread-safe.
 */
public final class Deduplicator {
    private static final StepBounds BOUNDS =
            new StepBounds(1, new Slice(1_000, Long.MAX_VALUE), Long.MAX_VALUE, StepBounds.SKETCHES_MAX);
    private static final String INPUT = "documents";

    private final DocumentSigner signer;
    private final MemoryState state = new MemoryState();
    private final List<BandIndex> indexPartitions;
    private final DocumentCoordinator<Document> coordinator;
    private final Deque<Runnable> messages = new ArrayDeque<>();
    private long taken;
    private @Nullable Decision released;

    /**
     * An empty one. Its hash seed is {@code neardup.hash.seed}, else a random one.
     *
     * @throws IllegalArgumentException where that is the seed of an index, which is known to its cluster alone
     */
    public Deduplicator(NeardupConfig config) {
        config.hashSeedOf().ifPresent(index -> {
            throw new IllegalArgumentException(
                    "neardup.hash.seed: expected a number or none without a cluster, found that of the index " + index);
        });
        Signing signing = Signing.of(config, config.hashSeed().orElseGet(() -> new SecureRandom().nextLong()));
        Partitions partitions =
                new Partitions(config.indexPartitions(), signing.banding().bands());
        signer = signing.signer();
        indexPartitions = IntStream.range(0, config.indexPartitions())
                .mapToObj(partition -> new BandIndex(
                        partition,
                        Limits.CANDIDATES_RETURNED_MAX,
                        new Buckets(partitions.bandsOf(partition).length, config.bucketMax())))
                .toList();
        coordinator = new DocumentCoordinator<>(
                0, signing.rules(config, BOUNDS), partitions, signing.judge(), state, new Outbox());
    }

    /**
     * Decides on a document, and keeps it where it is unique.
     *
     * @param timestampMillis event time, at least 0, from which retention counts
     * @return {@link Decision.Unique}, or {@link Decision.Duplicate} with the id of the original
     * @throws IllegalArgumentException when the text is all white space
     * @throws UnsignableException when the text is not of the form that the signature compares; nothing has changed
     */
    public Decision add(Document document, long timestampMillis) throws UnsignableException {
        if (document.text().isBlank()) {
            throw new IllegalArgumentException("text: expected more than white space, found " + document.text());
        }
        SignedDocument signed = signer.sign(document);
        released = null;
        Provenance provenance = new Provenance(
                INPUT + "-0-" + taken, "", timestampMillis, document.text().characters());
        Origin origin = new Origin(null, timestampMillis, provenance);
        coordinator.arrive(new InputOffset(INPUT, taken++), document, signed, origin, timestampMillis);
        while (!messages.isEmpty()) {
            messages.remove().run();
        }
        coordinator.expireNext();
        return Objects.requireNonNull(released, "expected that all that a document asks is answered at once");
    }

    /** How many unique documents it keeps. */
    public int originals() {
        return state.originals();
    }

    /** Nothing is sent: what a step asks is answered behind it. */
    private final class Outbox implements DocumentCoordinator.Outbox<Document> {
        @Override
        public void toIndex(int indexPartition, ToIndex message) {
            messages.add(() ->
                    coordinator.receive(indexPartitions.get(indexPartition).receive(List.of(message))));
        }

        @Override
        public void toCoordinator(int other, ToCoordinator message) {
            throw new IllegalStateException("expected one coordinator, found a message to number " + other);
        }

        @Override
        public void toAllCoordinators(ToCoordinator message) {}

        @Override
        public boolean release(DocumentRef ref, Document document, Decision decision) {
            released = decision;
            return true;
        }

        @Override
        public void ended(Provenance original) {}
    }

    /** The buckets of an index partition. */
    private static final class Buckets implements BandState {
        private final BandTable table;
        private final SharedBands found = new SharedBands();
        private long tag;

        Buckets(int bands, int bucketMax) {
            table = new BandTable(bands, bucketMax);
        }

        @Override
        public Found find(DocumentRef document, BandKeys keys, int max) {
            int truncated = table.candidates(document.packed(), keys, max, found);
            long[] refs =
                    IntStream.range(0, found.size()).mapToLong(found::document).toArray();
            return new Found(DocumentRefs.owning(refs), truncated, table.fullBuckets());
        }

        @Override
        public void insert(DocumentRef document, BandKeys keys) {
            table.compact();
            table.insert(document.packed(), keys, tag++);
        }

        @Override
        public void remove(DocumentRef document, BandKeys keys) {
            table.remove(document.packed(), keys);
        }
    }
}

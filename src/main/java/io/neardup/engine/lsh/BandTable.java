package io.neardup.engine.lsh;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of the bands that one index partition owns. It finds the documents that share a bucket with a document.
 *
 * <p>It is a log-structured merge tree: the youngest documents are in memory ({@link MemoryPart}), older ones in
 * immutable files ({@link BandSegment}), which the owner has written and merged by a {@link Rewrite} that may run in
 * another thread.
 *
 * <p>A document is any 64-bit reference. Its keys, one a band, are always the same. It is found through its buckets
 * only, so a document that every bucket refused is unknown here. A bucket takes at most {@code bucketMax} documents.
 * Candidates are lost by that; {@link #refusals()} counts the refusals. The order within a bucket is not kept.
 *
 * <p>Each document has a tag, above those of all older ones, by which the owner finds it without its keys.
 *
 * <p>Memory: for a document in memory 9.2 to 14 bytes a band, outside of the heap, and on it 16 to 32 more, these also
 * for one that was removed, until {@link #compact}; for one in a segment a bit, beside what is mapped.
 *
 * <p>Error: only 42 bits of a key count, so two unlike keys of a band are one bucket with probability 2^-42. With 10
 * million documents that makes about 2 false candidates a band in a million lookups. Verification drops them. In a
 * segment, a shared band of one candidate may be counted for another one instead, with a probability of 2^-8 for each
 * of at most eight that share three bands or more ({@link BandSegment}); the first is lost if it shares no other band.
 *
 * <p>If a segment cannot be read, {@link UncheckedIOException} is thrown, and nothing has changed; if a page of its
 * mapped columns cannot be read, {@link InternalError}.
 *
 * <p>Not thread-safe.
 */
public final class BandTable implements Closeable {
    /** In place of the tag of a document that is not here. */
    public static final long NONE = -1;

    /** The most bands of an index partition: the header of a segment has room for these. */
    public static final int BANDS_MAX = 1_000;

    /** Memory of an entry, outside of the heap, on average: its table grows by half. */
    private static final int ENTRY_BYTES = 12;

    /** Heap of a document's reference and tag, on average: their arrays are doubled. */
    private static final int DOCUMENT_BYTES = 24;

    private static final int COMPACTED_MIN = 1_000;

    /** More are fewer rewrites, and more cache misses in each lookup. */
    private static final int SEGMENTS = 3;

    private final int bandCount;
    private final int bucketMax;
    /** The oldest first; the last one is {@link #memory}. */
    private final List<BandPart> parts = new ArrayList<>();
    /** By part, the number in the table of its document 0, at least 1. The numbers of its other documents follow. */
    private int[] bases = {1};

    private MemoryPart memory;

    /** The bucket keys of the last lookup. */
    private final long[] bucketKeys;
    /** The numbers in the document's buckets, band after band; those of band b from {@code starts[b]} on. */
    private final BandBuckets.NumberList gathered = new BandBuckets.NumberList();

    private final int[] starts;

    /**
     * The keys whose buckets are gathered; null if none. Most documents are inserted right after their lookup, with no
     * change in between.
     */
    private @Nullable BandKeys gatheredKeys;

    /** The number of the document that these keys were looked up for; 0 if it is not here. */
    private int own;

    private long ownOf;
    private boolean isOwnKnown;

    private List<Integer> refused = List.of();
    private long refusals;
    private int fullBuckets;

    private final SharedBands distinct = new SharedBands();

    /** Never read. A read whose result is stored is not compiled away. */
    @SuppressWarnings("unused")
    private long touched;

    /**
     * An empty table.
     *
     * @param bands bands of this partition, at least 1
     * @param bucketMax documents a bucket takes, at least 1
     */
    public BandTable(int bands, int bucketMax) {
        if (bands < 1 || bucketMax < 1) {
            throw new IllegalArgumentException(
                    "expected bands and bucketMax of at least 1, got bands=" + bands + " bucketMax=" + bucketMax);
        }
        this.bandCount = bands;
        this.bucketMax = bucketMax;
        this.memory = new MemoryPart(bands);
        this.bucketKeys = new long[bands];
        this.starts = new int[bands + 1];
        parts.add(memory);
    }

    /**
     * Puts the document into its buckets. Full ones refuse it; {@link #refused} tells which.
     *
     * @param keys the bucket key of each band
     * @param tag above those of all that are here, at least 0
     * @return whether it was added: not if it is in one of its buckets already, or none takes it
     */
    public boolean insert(long document, BandKeys keys, long tag) {
        gather(keys);
        refused = new ArrayList<>(0);
        if (numberOf(document) != 0) {
            return false;
        }
        int number = -1;
        for (int band = 0; band < bandCount; band++) {
            if (isFull(band)) {
                refused.add(band);
                refusals++;
            } else {
                number = number < 0 ? take(document, tag) : number;
                memory.addToBucket(band, bucketKeys[band], number);
            }
        }
        gatheredKeys = number < 0 ? gatheredKeys : null;
        return number >= 0;
    }

    private int take(long document, long tag) {
        if (bases[parts.size() - 1] == Integer.MAX_VALUE - memory.documents()) {
            throw new IllegalStateException("a band table holds at most " + Integer.MAX_VALUE
                    + " documents: make a new index with a shorter retention");
        }
        return memory.append(document, tag);
    }

    /** The bands, rising, whose full buckets did not take the document that was inserted last. */
    public List<Integer> refused() {
        return refused;
    }

    /**
     * Puts the document back into the buckets that took it when it was inserted. It must not be there, which is not
     * checked.
     *
     * @param refused the bands that did not take it, rising
     * @param tag as for {@link #insert}
     */
    public void restore(long document, BandKeys keys, List<Integer> refused, long tag) {
        gatheredKeys = null;
        setBucketKeys(keys);
        memory.restore(take(document, tag), bucketKeys, refused);
    }

    /**
     * Removes the document from all buckets.
     *
     * @return its tag; {@value #NONE} if it is in none of these buckets
     */
    public long remove(long document, BandKeys keys) {
        int number = find(document, keys);
        if (number == 0) {
            return NONE;
        }
        int partIndex = partOf(number);
        BandPart part = parts.get(partIndex);
        int inPart = number - bases[partIndex];
        long tag = tag(part, inPart);
        gatheredKeys = null;
        part.markGone(inPart);
        if (part == memory) {
            memory.removeFromBuckets(bucketKeys, inPart);
        }
        return tag;
    }

    /** Whether the document is in some of its buckets, and another that refused it has room now. */
    public boolean hasRoomAgain(long document, BandKeys keys) {
        gather(keys);
        int number = numberOf(document);
        boolean hasRoom = false;
        for (int band = 0; number != 0 && band < bandCount; band++) {
            hasRoom |= !isFull(band) && !gathered.contains(number, starts[band], starts[band + 1]);
        }
        return hasRoom;
    }

    /** Whether the bucket of a band that was gathered is full. */
    private boolean isFull(int band) {
        return starts[band + 1] - starts[band] >= bucketMax;
    }

    /**
     * The number of the document if it is in at least one of its buckets, else 0. Nearly all that are removed have just
     * come, and no segment has them: to look there would cost its cache misses.
     */
    private int find(long document, BandKeys keys) {
        if (keys.equals(gatheredKeys)) {
            return numberOf(document);
        }
        gatheredKeys = null;
        isOwnKnown = false;
        setBucketKeys(keys);
        int number = 0;
        for (int partIndex = parts.size() - 1; number == 0 && partIndex >= 0; partIndex--) {
            number = parts.get(partIndex).mayHave(document) ? find(document, partIndex) : 0;
        }
        return number;
    }

    private int find(long document, int partIndex) {
        parts.get(partIndex).begin(bucketKeys);
        touched = parts.get(partIndex).touch(bucketKeys);
        int number = 0;
        for (int band = 0; number == 0 && band < bandCount; band++) {
            gathered.clear();
            gather(band, partIndex);
            number = numberOf(document);
        }
        return number;
    }

    /**
     * Finds the other documents in these buckets, at most {@code max} of them: those that share the most bands first,
     * of equals the oldest.
     *
     * @param into has these and no others afterwards
     * @return how many were truncated
     */
    public int candidates(long document, BandKeys keys, int max, SharedBands into) {
        into.clear();
        gather(keys);
        fullBuckets = 0;
        for (int band = 0; band < bandCount; band++) {
            fullBuckets += isFull(band) ? 1 : 0;
        }
        addGathered(into);
        own = numberOf(document, into);
        ownOf = document;
        isOwnKnown = true;
        into.remove(own);
        int truncated = into.keepMostShared(max);
        into.name(this::document);
        return truncated;
    }

    /** How many buckets of the last call of {@link #candidates} were full. */
    public int fullBuckets() {
        return fullBuckets;
    }

    /** Documents in at least one bucket. */
    public long documents() {
        return parts.stream().mapToLong(BandPart::alive).sum();
    }

    /**
     * How full the memory is, as a number of documents: of one that was removed its reference and tag are left, and
     * mostly no entries. At least half of all that came since the last {@link #freeze}.
     */
    public int inMemory() {
        int bytes = bytesPerDocument(bandCount, 1);
        long taken = ENTRY_BYTES * memory.entries() + (long) DOCUMENT_BYTES * memory.documents();
        return Math.max((memory.documents() + 1) / 2, (int) ((taken + bytes - 1) / bytes));
    }

    /**
     * Memory of a document that is not in a segment, in all index partitions together, on average.
     *
     * @param partitions over which the bands are spread, at least 1
     */
    public static int bytesPerDocument(int bands, int partitions) {
        return ENTRY_BYTES * Math.max(bands, partitions) + DOCUMENT_BYTES * partitions;
    }

    /** Since this table was made, how often a full bucket refused a document. */
    public long refusals() {
        return refusals;
    }

    /** Memory taken by the part in memory, and by the marks of removed documents, in bytes. */
    public long bytes() {
        return parts.stream().mapToLong(BandPart::memoryBytes).sum();
    }

    /**
     * The most hot bytes of a unique document in segments, of all index partitions together: lookups need them in
     * memory.
     */
    public static int hotBytesPerDocument(Banding banding) {
        return (5 * banding.bands() + 1) / 2 + 1;
    }

    /**
     * The most cold bytes of a unique document in segments, of all index partitions together.
     *
     * @param partitions over which the bands are spread, at least 1
     */
    public static int coldBytesPerDocument(Banding banding, int partitions) {
        return (SegmentLayout.ENTRY_BYTES + 1) * banding.bands()
                + 2 * Long.BYTES * Math.min(partitions, banding.bands());
    }

    private void gather(BandKeys keys) {
        if (keys.equals(gatheredKeys)) {
            return;
        }
        gatheredKeys = null;
        isOwnKnown = false;
        touch(keys);
        gathered.clear();
        for (int band = 0; band < bandCount; band++) {
            for (int partIndex = 0; partIndex < parts.size(); partIndex++) {
                gather(band, partIndex);
            }
            starts[band + 1] = gathered.size();
        }
        gatheredKeys = keys;
    }

    private void gather(int band, int partIndex) {
        try {
            parts.get(partIndex).gather(band, bucketKeys[band], bases[partIndex], gathered);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A document's buckets lie apart in memory. Reading a little of each in a tight loop lets cache misses overlap. */
    private void touch(BandKeys keys) {
        setBucketKeys(keys);
        for (BandPart part : parts) {
            part.begin(bucketKeys);
        }
        long sum = 0;
        for (BandPart part : parts) {
            sum += part.touch(bucketKeys);
        }
        touched = sum;
    }

    private void setBucketKeys(BandKeys keys) {
        if (keys.bands() != bandCount) {
            throw new IllegalArgumentException("expected " + bandCount + " keys, one a band, got " + keys.bands());
        }
        for (int band = 0; band < bandCount; band++) {
            bucketKeys[band] = BandBuckets.key(keys.key(band));
        }
    }

    private void addGathered(SharedBands into) {
        for (int i = 0; i < gathered.size(); i++) {
            into.add(gathered.get(i));
        }
    }

    /** The document's number if it is among those gathered, else 0. */
    private int numberOf(long document) {
        if (isOwnKnown && ownOf == document) {
            return own;
        }
        distinct.clear();
        addGathered(distinct);
        return numberOf(document, distinct);
    }

    private int numberOf(long document, SharedBands among) {
        for (int i = 0; i < among.size(); i++) {
            int number = among.number(i);
            if (parts.get(partOf(number)).mayHave(document) && document(number) == document) {
                return number;
            }
        }
        return 0;
    }

    private long document(int number) {
        int part = partOf(number);
        try {
            return parts.get(part).document(number - bases[part]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int partOf(int number) {
        int part = parts.size() - 1;
        while (bases[part] > number) {
            part--;
        }
        return part;
    }

    // ---- parts

    private void renumber() {
        bases = new int[parts.size()];
        long base = 1;
        for (int part = 0; part < bases.length; part++) {
            bases[part] = Math.toIntExact(base);
            base += parts.get(part).documents();
        }
        gatheredKeys = null;
    }

    /**
     * Adds a segment whose documents are younger than all that are here; to be called before anything is inserted.
     *
     * @throws DamagedSegmentException if it is not as it was written
     */
    public void add(Segment segment) throws IOException {
        BandSegment opened = BandSegment.open(
                segment.file(), bandCount, (BitSet) segment.gone().clone());
        if (opened.checksum() != segment.checksum()) {
            opened.close();
            throw new DamagedSegmentException(
                    segment.file() + ": expected the segment that was written under this name, found another");
        }
        parts.add(parts.size() - 1, opened);
        renumber();
    }

    /** The segments, the oldest first, with the documents of each that were removed. */
    public List<Segment> segments() {
        return bandSegments()
                .map(segment -> new Segment(segment.file(), segment.checksum(), segment.gone()))
                .toList();
    }

    private Stream<BandSegment> bandSegments() {
        return parts.stream().filter(BandSegment.class::isInstance).map(BandSegment.class::cast);
    }

    /**
     * A segment of the table.
     *
     * @param checksum tells it from other segments
     * @param gone documents of it that were removed, by their number
     */
    public record Segment(Path file, long checksum, BitSet gone) {}

    /** The sizes of all segments together. */
    public OnDisk onDisk() {
        return new OnDisk(
                (int) bandSegments().count(),
                bandSegments().mapToLong(BandSegment::documents).sum(),
                bandSegments().mapToLong(BandSegment::hotBytes).sum(),
                bandSegments().mapToLong(BandSegment::coldBytes).sum());
    }

    /**
     * Sums over segments.
     *
     * @param documents including those that were removed
     * @param hotBytes of columns that each lookup needs in memory
     * @param coldBytes of columns that a lookup reads only if it finds something
     */
    public record OnDisk(int segments, long documents, long hotBytes, long coldBytes) {}

    /**
     * Begins a segment of all documents in memory, and goes on with an empty memory. Only one at a time.
     *
     * @return the rewrite that writes it; to be {@linkplain #finish finished}
     */
    public Rewrite freeze() {
        if (parts.stream().filter(MemoryPart.class::isInstance).count() > 1) {
            throw new IllegalStateException("expected what was frozen to be finished first");
        }
        memory.putRestored();
        Rewrite frozen = new Rewrite(bandCount, List.of(memory));
        memory = new MemoryPart(bandCount);
        parts.add(memory);
        renumber();
        return frozen;
    }

    /**
     * The next merge: the youngest segments, beginning with the oldest one whose turn it is ({@link #firstToMerge});
     * else a segment of which most documents were removed. Documents stay in their order.
     *
     * <p>Null if there is nothing to merge. Not to be called while another merge is not finished.
     *
     * @param inMemoryMax {@link #inMemory} at a flush, at least 1; of more documents the others were removed
     */
    public @Nullable Rewrite nextMerge(int inMemoryMax) {
        List<BandSegment> segments = bandSegments().toList();
        int first = firstToMerge(
                segments.stream().mapToLong(BandSegment::alive).toArray(),
                inMemoryMax / 2 + 1,
                SegmentLayout.DOCUMENTS_MAX);
        if (first < segments.size() - 1) {
            return new Rewrite(bandCount, segments.subList(first, segments.size()));
        }
        return segments.stream()
                .filter(segment -> segment.alive() <= segment.documents() / 2)
                .findFirst()
                .map(segment -> new Rewrite(bandCount, List.of(segment)))
                .orElse(null);
    }

    /**
     * The first of the youngest segments that are to be merged into one, or the last one. This is the binomial
     * transform of Bentley and Saxe (1980), by sizes in place of counts, as flushes may be unlike. Flushes of like size
     * leave three segments, sometimes four, much smaller ones a few more. Of 10 flushes each document is rewritten once
     * or twice, of 100 five times, of 1,000 13 times.
     *
     * @param sizes documents of each segment, the oldest first
     * @param flush documents of a small flush, at least 1
     * @param documentsMax of a segment: older ones that would be too large are left as they are, and not counted
     */
    static int firstToMerge(long[] sizes, int flush, long documentsMax) {
        int oldest = sizes.length;
        for (long documents = 0; oldest > 0 && documents + sizes[oldest - 1] <= documentsMax; ) {
            documents += sizes[--oldest];
        }
        int first = sizes.length - 1;
        long younger = 0;
        for (int i = sizes.length - 1; i >= oldest; i--) {
            if (younger >= awaited(sizes[i], flush, oldest + SEGMENTS - i)) {
                first = i;
            }
            younger += sizes[i];
        }
        return first;
    }

    /**
     * How many younger documents a segment awaits before it is merged with them, if k segments may be left of all of
     * these. A segment of C(m + k - 1, k) flushes awaits C(m + k - 1, k - 1) flushes.
     */
    private static long awaited(long documents, int flush, int k) {
        if (k <= 1) {
            return Math.min(documents, flush);
        }
        long m = 1;
        for (long next = flush * (1L + k); next <= documents; next += next * k / m) {
            m++;
        }
        return documents * k / m;
    }

    /**
     * Replaces the parts that a rewrite was made of by the segment that it wrote.
     *
     * @param rewrite that was written as a whole
     * @return files that are no longer used
     */
    public List<Path> finish(Rewrite rewrite) throws IOException {
        int first = Collections.indexOfSubList(parts, rewrite.parts);
        if (first < 0) {
            throw new IllegalStateException("expected a rewrite of this table");
        }
        List<BandPart> replaced = parts.subList(first, first + rewrite.parts.size());
        BandSegment written = rewrite.written;
        if (written != null) {
            rewrite.goneSince().stream().forEach(written::markGone);
        }
        List<Path> unused = new ArrayList<>();
        for (BandPart part : replaced) {
            if (part instanceof BandSegment segment) {
                unused.add(segment.file());
            }
            part.close();
        }
        replaced.clear();
        if (written != null) {
            parts.add(first, written);
        }
        renumber();
        return unused;
    }

    // ---- by tags

    /** Which of at most 1,000 tags from the first on belong to documents that are here. */
    public BitSet tagged(long firstTag, int count) {
        BitSet there = new BitSet();
        forEachTagged(firstTag, count, (part, number, i) -> there.set(i));
        return there;
    }

    /** Takes back the room of documents that were removed, once they are many; for a table without segments. */
    public void compact() {
        if (memory.documents() >= COMPACTED_MIN && memory.alive() <= memory.documents() / 4 * 3) {
            MemoryPart compacted = memory.compacted();
            memory.close();
            memory = compacted;
            parts.set(parts.size() - 1, memory);
            renumber();
        }
    }

    /** Removes the documents that have some of the tags from the first on, at most 1,000. */
    public void removeTagged(long firstTag, BitSet tags) {
        gatheredKeys = null;
        forEachTagged(firstTag, tags.length(), (part, number, i) -> {
            if (tags.get(i)) {
                part.markGone(number);
            }
        });
    }

    private interface Tagged {
        /** @param i how far the document's tag is above the first one */
        void accept(BandPart part, int number, int i);
    }

    /** For documents that were not removed. */
    private void forEachTagged(long firstTag, int count, Tagged tagged) {
        for (BandPart part : parts) {
            if (part.lastTag() < firstTag) {
                continue;
            }
            int first = firstFrom(part, firstTag);
            long[] tags = tags(part, first, Math.min(count, part.documents() - first));
            for (int j = 0; j < tags.length && tags[j] < firstTag + count; j++) {
                if (tags[j] < firstTag) {
                    throw new UncheckedIOException(new DamagedSegmentException(
                            "expected a tag of at least " + firstTag + " in a segment, found " + tags[j]));
                }
                if (!part.isGone(first + j)) {
                    tagged.accept(part, first + j, (int) (tags[j] - firstTag));
                }
            }
        }
    }

    /** The first document whose tag is at least this: they rise. */
    private static int firstFrom(BandPart part, long tag) {
        int first = 0;
        int end = part.documents();
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (tag(part, middle) < tag) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return first;
    }

    private static long tag(BandPart part, int number) {
        try {
            return part.tag(number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long[] tags(BandPart part, int first, int count) {
        try {
            return part.tags(first, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (BandPart part : parts) {
            part.close();
        }
        parts.clear();
    }

    /** Writes the documents of the part in memory, or of some segments, as one segment, without those removed. */
    public static final class Rewrite {
        private final int bands;
        private final List<BandPart> parts;
        private final List<Renumbering> numbers;
        private volatile boolean cancelled;
        /** The segment; null before it is written, and if no document is left. */
        private @Nullable BandSegment written;

        private Rewrite(int bands, List<? extends BandPart> parts) {
            this.bands = bands;
            this.parts = List.copyOf(parts);
            this.numbers = this.parts.stream()
                    .map(part -> new Renumbering(part.gone(), part.documents()))
                    .toList();
        }

        /** How many documents are written; if there are none, there is no file. */
        public int documents() {
            return numbers.stream().mapToInt(Renumbering::left).sum();
        }

        /**
         * Writes the segment and opens it, in any thread; the table may change meanwhile, but not be closed. If this
         * fails, there is no file.
         *
         * @return whether it was written as a whole, and not cancelled; then it is to be finished
         * @throws DamagedSegmentException if a source segment, or the new one, is not as it was written
         */
        public boolean write(Path file) throws IOException {
            if (documents() == 0) {
                return true;
            }
            SegmentLayout layout = new SegmentLayout(bands, documents());
            if (!new SegmentWriter(layout, parts, numbers, () -> cancelled).write(file)) {
                return false;
            }
            try {
                written = BandSegment.open(file, bands, new BitSet());
                return true;
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        }

        /** Lets the writing end soon, without a result. */
        public void cancel() {
            cancelled = true;
        }

        /** The documents removed since it was begun, by their numbers in the new segment. */
        private BitSet goneSince() {
            BitSet gone = new BitSet();
            int base = 0;
            for (int i = 0; i < parts.size(); i++) {
                Renumbering of = numbers.get(i);
                int before = base;
                parts.get(i).gone().stream()
                        .filter(number -> !of.isGone(number))
                        .forEach(number -> gone.set(before + of.number(number)));
                base += of.left();
            }
            return gone;
        }
    }
}

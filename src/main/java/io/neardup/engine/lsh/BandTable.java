package io.neardup.engine.lsh;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of the bands that one index partition owns. It answers which documents share a bucket with this one.
 *
 * <p>It is a log-structured merge tree: what came last is in memory; what came before lies in files that never change
 * ({@link BandSegment}), which the owner has written, and merged, by a {@link Rewrite} that may run in another thread.
 *
 * <p>A document is any 64-bit reference. Its keys, one a band, are always the same. It is found through its buckets
 * alone, so a document that every bucket refused is unknown here. A bucket takes at most {@code bucketMax} documents.
 * Candidates are lost by that; {@link #bucketsFull()} counts the refusals. The order within a bucket is not kept.
 *
 * <p>In the table a document has a number, until it is gone or what is in memory becomes a segment. The caller gives it
 * a tag, above those of all that are older, by which the owner finds it again where its keys are not at hand.
 *
 * <p>Heap, from some 100,000 documents in memory up: for each 9.2 to 12 bytes a band and about 16 more. There is no
 * peak while it grows: a band is split into 1,024 tables that grow one by one, by a fifth each. Fewer documents take
 * more each, but in all at most some 0.2 MB a band. A document in a segment takes a bit.
 *
 * <p>Error: only 42 bits of a key count, so two unlike keys of a band are one bucket with probability 2^-42. With 10
 * million documents that makes about 2 false candidates a band in a million lookups. Verification drops them.
 *
 * <p>Where a segment cannot be read, {@link UncheckedIOException} is thrown, and nothing has changed.
 *
 * <p>Not thread-safe.
 */
public final class BandTable implements Closeable {
    private static final long ARRAY_HEADER_BYTES = 16;

    /** As many segments of like size, or smaller ones, are merged into one. */
    private static final int MERGED = 4;

    private final int bucketMax;
    /** What is older than what is in memory, the oldest first. The last may be a {@link FrozenTable}. */
    private final List<BandPart> parts = new ArrayList<>();

    private BandBuckets[] bands;
    private DocumentNumbers numbers = new DocumentNumbers();

    private final long[] hashes;
    /** The numbers in the document's buckets, band after band; those of band b end at {@code ends[b]}. */
    private final BandBuckets.NumberList gathered = new BandBuckets.NumberList();

    private final int[] ends;

    /**
     * The keys whose buckets are gathered: most documents are inserted right after their lookup, with nothing changed
     * in between.
     */
    private @Nullable BandKeys gatheredKeys;

    /** The number of the document that was looked up last with these keys; 0 if it is not here. */
    private int own;

    private long ownOf;
    private boolean isOwnKnown;

    private List<Integer> refused = List.of();
    private long bucketsFull;
    private int fullBuckets;

    /** Where the entries of each band are in each part, part after part. */
    private long[] slots = {};

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
        this.bucketMax = bucketMax;
        this.bands = emptyBuckets(bands, bucketMax);
        hashes = new long[bands];
        ends = new int[bands];
    }

    private static BandBuckets[] emptyBuckets(int bands, int bucketMax) {
        if (bands < 1 || bucketMax < 1) {
            throw new IllegalArgumentException(
                    "expected bands and bucketMax of at least 1, got bands=" + bands + " bucketMax=" + bucketMax);
        }
        return Stream.generate(BandBuckets::new).limit(bands).toArray(BandBuckets[]::new);
    }

    /**
     * Puts the document into its buckets. Full ones refuse it; {@link #refused} tells which.
     *
     * @param keys the bucket key of each band
     * @return its number; 0, with nothing changed, if it is in one of its buckets already or none takes it
     */
    public int insert(long document, BandKeys keys) {
        gather(keys);
        refused = List.of();
        if (numberOf(document) != 0) {
            return 0;
        }
        int number = 0;
        int start = 0;
        for (int band = 0; band < bands.length; band++) {
            if (ends[band] - start >= bucketMax) {
                refuse(band);
            } else {
                number = number == 0 ? numbers.take(document) : number;
                bands[band].add(hashes[band], number);
            }
            start = ends[band];
        }
        gatheredKeys = number == 0 ? gatheredKeys : null;
        return number;
    }

    private void refuse(int band) {
        if (refused.isEmpty()) {
            refused = new ArrayList<>();
        }
        refused.add(band);
        bucketsFull++;
    }

    /** The bands, rising, whose full buckets did not take the document that was inserted last. */
    public List<Integer> refused() {
        return refused;
    }

    /**
     * Puts the document back into the buckets that took it when it was inserted. It must not be there; nothing checks
     * that. While documents that were removed since wait for a sweep, a bucket may be full of them: they leave a full
     * bucket at once.
     *
     * @param refused the bands that did not take it, rising
     * @param dead the tags of documents that are to be swept out
     * @return its number
     */
    public int restore(long document, BandKeys keys, List<Integer> refused, LongPredicate dead) {
        requireKeys(keys);
        gatheredKeys = null;
        touchAll(keys);
        int number = numbers.take(document);
        for (int band = 0; band < bands.length; band++) {
            if (refused.isEmpty() || !refused.contains(band)) {
                if (bands[band].count(hashes[band]) >= bucketMax) {
                    bands[band].removeIf(hashes[band], other -> dead.test(numbers.tag(other)));
                }
                bands[band].add(hashes[band], number);
            }
        }
        return number;
    }

    /** Removes the document from its buckets; false if it is in none of them. */
    public boolean remove(long document, BandKeys keys) {
        int number = find(document, keys);
        if (number > 0) {
            removeFromBuckets(number);
            numbers.free(number);
        } else if (number < 0) {
            removeFromPart(number);
        }
        return number != 0;
    }

    private void removeFromPart(int number) {
        gatheredKeys = null;
        int part = partOf(number);
        parts.get(part).remove(numberInPart(number, part));
    }

    /** From those of the keys that were gathered last. */
    private void removeFromBuckets(int number) {
        gatheredKeys = null;
        for (int band = 0; band < bands.length; band++) {
            bands[band].remove(hashes[band], number);
        }
    }

    /**
     * Removes the document from these of its buckets alone; it keeps its number, and is found through the others. From
     * a segment it is removed as a whole.
     */
    public void drop(long document, BandKeys keys) {
        int number = find(document, keys);
        if (number > 0) {
            removeFromBuckets(number);
        } else if (number < 0) {
            removeFromPart(number);
        }
    }

    /**
     * Removes every document in memory whose tag matches, in one pass over all buckets.
     *
     * @return how many
     */
    public int sweep(LongPredicate tags) {
        gatheredKeys = null;
        BitSet gone = numbers.tagged(tags);
        for (BandBuckets band : bands) {
            band.removeAll(gone);
        }
        gone.stream().forEach(numbers::free);
        return gone.cardinality();
    }

    /** Whether the document is in some of its buckets, and another, which refused it when it was full, has room now. */
    public boolean hasRoomAgain(long document, BandKeys keys) {
        gather(keys);
        int number = numberOf(document);
        boolean hasRoom = false;
        for (int band = 0, start = 0; number != 0 && band < bands.length; start = ends[band++]) {
            hasRoom |= ends[band] - start < bucketMax && !gathered.contains(number, start, ends[band]);
        }
        return hasRoom;
    }

    /** The number of the document if it is in at least one of its buckets, else 0. */
    public int find(long document, BandKeys keys) {
        if (keys.equals(gatheredKeys)) {
            return numberOf(document);
        }
        requireKeys(keys);
        gatheredKeys = null;
        touchAll(keys);
        int number = 0;
        for (int band = 0; number == 0 && band < bands.length; band++) {
            gathered.clear();
            gather(band);
            number = numberOfGathered(document);
        }
        return number;
    }

    private int numberOfGathered(long document) {
        distinct.clear();
        addGathered(distinct);
        return numberOf(document, distinct);
    }

    /** The tag of a document in the table, 0 if none was given. */
    public long tag(int number) {
        if (number > 0) {
            return numbers.tag(number);
        }
        int part = partOf(number);
        try {
            return parts.get(part).tags(numberInPart(number, part), 1)[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives a document in memory a tag of at least 0. */
    public void tag(int number, long tag) {
        numbers.tag(number, tag);
    }

    /** Adds every other document in these buckets to {@code into}, which is empty, with the bands that it shares. */
    public void candidates(long document, BandKeys keys, SharedBands into) {
        gather(keys);
        addGathered(into);
        into.remove(numberOf(document));
        into.name(this::document);
    }

    private void addGathered(SharedBands into) {
        for (int i = 0; i < gathered.size(); i++) {
            into.add(gathered.get(i));
        }
    }

    private long document(int number) {
        if (number > 0) {
            return numbers.document(number);
        }
        int part = partOf(number);
        try {
            return parts.get(part).document(numberInPart(number, part));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The smaller, the longer the document has been here. */
    private long age(int number) {
        return number > 0 ? numbers.tag(number) : -1L - number - Integer.MAX_VALUE;
    }

    /**
     * The other documents in these buckets, at most {@code max} of them: those that share the most bands first, of
     * equals the oldest, by their tags.
     *
     * @param into empty
     * @return how many were left out
     */
    public int candidates(long document, BandKeys keys, int max, SharedBands into) {
        gather(keys);
        fullBuckets = 0;
        for (int band = 0, start = 0; band < bands.length; start = ends[band++]) {
            fullBuckets += ends[band] - start >= bucketMax ? 1 : 0;
        }
        addGathered(into);
        // The documents lie apart in memory: reading what does not depend on another lets the cache misses overlap.
        touched = into.sum(number -> number > 0 ? numbers.touch(number) : 0);
        own = numberOf(document, into);
        ownOf = document;
        isOwnKnown = true;
        into.remove(own);
        int leftOut = into.keepMostShared(max, this::age);
        into.name(this::document);
        return leftOut;
    }

    /** How many of the buckets in which candidates were looked for last were full. */
    public int fullBuckets() {
        return fullBuckets;
    }

    /** Documents in at least one bucket. */
    public long documents() {
        long documents = numbers.used();
        for (BandPart part : parts) {
            documents += part.alive();
        }
        return documents;
    }

    /** Documents that are in no segment. */
    public int inMemory() {
        return numbers.used();
    }

    /** Since this table was made, how often a full bucket refused a document. */
    public long bucketsFull() {
        return bucketsFull;
    }

    /** Heap taken, in bytes; an estimate that takes references to be of 4 bytes. */
    public long bytes() {
        long sum = numbers.bytes() + gathered.bytes() + 2 * longs(bands.length) + ints(bands.length);
        for (BandBuckets band : bands) {
            sum += band.bytes();
        }
        return sum + parts.stream().mapToLong(BandPart::heapBytes).sum();
    }

    /**
     * The most bytes of a unique document that lookups need in memory, in segments of all index partitions together.
     */
    public static int hotBytesPerDocument(Banding banding) {
        return (5 * banding.bands() + 1) / 2 + 1;
    }

    /**
     * The most bytes of a unique document in segments of all index partitions together, but for the hot ones.
     *
     * @param partitions over which the bands are spread, at least 1
     */
    public static int coldBytesPerDocument(Banding banding, int partitions) {
        return 2 * Integer.BYTES * banding.bands() + 2 * Long.BYTES * Math.min(partitions, banding.bands());
    }

    /** The heap that an array of longs takes, in bytes. */
    static long longs(int length) {
        return ARRAY_HEADER_BYTES + 8L * length;
    }

    /** The heap that an array of ints takes, or one of references (of 4 bytes: a heap below 32 GB), in bytes. */
    static long ints(int length) {
        return ARRAY_HEADER_BYTES + 4L * length;
    }

    private void requireKeys(BandKeys keys) {
        if (keys.bands() != bands.length) {
            throw new IllegalArgumentException("expected " + bands.length + " keys, one a band, got " + keys.bands());
        }
    }

    private void gather(BandKeys keys) {
        requireKeys(keys);
        if (keys.equals(gatheredKeys)) {
            return;
        }
        gatheredKeys = null;
        touchAll(keys);
        isOwnKnown = false;
        gathered.clear();
        for (int band = 0; band < bands.length; band++) {
            gather(band);
            ends[band] = gathered.size();
        }
        gatheredKeys = keys;
    }

    private void gather(int band) {
        bands[band].gather(hashes[band], gathered);
        int base = 0;
        for (int part = 0; part < parts.size(); part++) {
            BandPart of = parts.get(part);
            try {
                of.gather(band, hashes[band], slots[part * bands.length + band], base, gathered);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InternalError e) {
                // So it is said that a page of a mapped file cannot be read.
                throw new UncheckedIOException(new IOException(e));
            }
            base += of.documents();
        }
    }

    /** A document's buckets lie apart in memory. Reading their first slots in a loop lets the cache misses overlap. */
    private void touchAll(BandKeys keys) {
        long sum = 0;
        for (int band = 0; band < keys.bands(); band++) {
            hashes[band] = BandBuckets.hash(keys.key(band));
            sum += bands[band].touch(hashes[band]);
        }
        slots = slots.length < parts.size() * bands.length ? new long[parts.size() * bands.length] : slots;
        for (int part = 0; part < parts.size(); part++) {
            for (int band = 0; band < bands.length; band++) {
                slots[part * bands.length + band] = parts.get(part).slot(band, hashes[band]);
            }
        }
        for (int part = 0; part < parts.size(); part++) {
            for (int band = 0; band < bands.length; band++) {
                sum += parts.get(part).touch(band, slots[part * bands.length + band]);
            }
        }
        touched = sum;
    }

    /** The document's number if it is among those gathered, else 0. */
    private int numberOf(long document) {
        if (isOwnKnown && ownOf == document) {
            return own;
        }
        return numberOfGathered(document);
    }

    private int numberOf(long document, SharedBands among) {
        boolean isInPart = false;
        for (BandPart part : parts) {
            isInPart |= part.mayHave(document);
        }
        return isInPart
                ? among.numberOf(document, this::document)
                : among.numberOf(document, number -> number > 0 ? numbers.document(number) : ~document);
    }

    // ---- parts

    /** The number in the table of a document of a part: negative, where those in memory have positive ones. */
    static int ofPart(int baseAndNumber) {
        return -1 - baseAndNumber;
    }

    private int partOf(int number) {
        int part = 0;
        for (int left = -1 - number; left >= parts.get(part).documents(); part++) {
            left -= parts.get(part).documents();
        }
        return part;
    }

    private int numberInPart(int number, int part) {
        int left = -1 - number;
        for (BandPart older : parts.subList(0, part)) {
            left -= older.documents();
        }
        return left;
    }

    /** Takes a segment that lies above all that are here; to be called before anything is inserted. */
    public void add(Path file, BitSet gone) throws IOException {
        parts.add(BandSegment.open(file, bands.length, gone));
    }

    /** The segments, the oldest first, with the documents of each that are gone. */
    public List<Segment> segments() {
        return bandSegments()
                .map(segment -> new Segment(segment.file(), segment.gone()))
                .toList();
    }

    private Stream<BandSegment> bandSegments() {
        return parts.stream().filter(BandSegment.class::isInstance).map(BandSegment.class::cast);
    }

    /**
     * A segment of the table.
     *
     * @param gone which documents of it are, by their place in the segment
     */
    public record Segment(Path file, BitSet gone) {}

    /** What is in segments. */
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
     * @param documents those too that are gone
     * @param hotBytes of the files that each lookup needs in memory
     * @param coldBytes of the files that a lookup reads where it finds something
     */
    public record OnDisk(int segments, long documents, long hotBytes, long coldBytes) {}

    /**
     * Begins a segment of all that is in memory, which is empty from now on. One at a time.
     *
     * @return what writes it; to be {@linkplain #finish finished}
     */
    public Rewrite freeze() {
        if (parts.stream().anyMatch(FrozenTable.class::isInstance)) {
            throw new IllegalStateException("expected what was frozen to be finished first");
        }
        FrozenTable frozen = inMemoryNow();
        parts.add(frozen);
        bands = emptyBuckets(bands.length, bucketMax);
        numbers = new DocumentNumbers();
        gatheredKeys = null;
        return new Rewrite(bands.length, List.of(frozen));
    }

    FrozenTable inMemoryNow() {
        return new FrozenTable(bands, numbers);
    }

    int bands() {
        return bands.length;
    }

    /**
     * What is to be merged next, as it is worth it: the youngest segments of like size, or one of which most are gone.
     * Null where there is nothing. Not while another one is not finished.
     */
    public @Nullable Rewrite nextMerge() {
        int end = parts.size();
        while (end > 0 && !(parts.get(end - 1) instanceof BandSegment)) {
            end--;
        }
        int level = 0;
        for (int first = end - 1; first >= 0; first--) {
            BandPart part = parts.get(first);
            if (part.alive() <= part.documents() / 2) {
                return new Rewrite(bands.length, parts.subList(first, first + 1));
            }
            level = Math.max(level, level(part));
            boolean isLast = first == 0 || level(parts.get(first - 1)) > level;
            if (isLast && end - first >= MERGED) {
                return new Rewrite(bands.length, parts.subList(first, end));
            }
        }
        return null;
    }

    private static int level(BandPart part) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(part.alive())) / 2;
    }

    /**
     * Puts what was written in the place of what it was written of.
     *
     * @param file that it wrote
     * @return files that are no longer used
     */
    public List<Path> finish(Rewrite rewrite, Path file) throws IOException {
        int first = Collections.indexOfSubList(parts, rewrite.parts);
        if (first < 0) {
            throw new IllegalStateException("expected a rewrite of this table");
        }
        List<BandPart> replaced = parts.subList(first, first + rewrite.parts.size());
        BitSet gone = rewrite.goneSince();
        List<BandPart> by = rewrite.documents() == 0 ? List.of() : List.of(BandSegment.open(file, bands.length, gone));
        gatheredKeys = null;
        List<Path> unused = new ArrayList<>();
        for (BandPart part : replaced) {
            if (part instanceof BandSegment segment) {
                unused.add(segment.file());
                segment.close();
            }
        }
        replaced.clear();
        parts.addAll(first, by);
        return unused;
    }

    /** Of documents whose tags are in a range, those that are in a segment and not gone. */
    public BitSet inSegments(long firstTag, int count) {
        BitSet there = new BitSet();
        forEachTagged(firstTag, count, (part, number, tag) -> there.set((int) (tag - firstTag)));
        return there;
    }

    /** Removes from segments the documents that have some of the tags from the first on. */
    public void removeFromSegments(long firstTag, BitSet tags) {
        gatheredKeys = null;
        forEachTagged(firstTag, tags.length(), (part, number, tag) -> {
            if (tags.get((int) (tag - firstTag))) {
                part.remove(number);
            }
        });
    }

    private interface Tagged {
        void accept(BandPart part, int number, long tag);
    }

    private void forEachTagged(long firstTag, int count, Tagged tagged) {
        try {
            for (BandPart part : parts) {
                int first = firstFrom(part, firstTag);
                long[] tags = part.tags(first, Math.min(count, part.documents() - first));
                for (int i = 0; i < tags.length && tags[i] < firstTag + count; i++) {
                    if (!part.isGone(first + i)) {
                        tagged.accept(part, first + i, tags[i]);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first document whose tag is at least this: they rise. */
    private static int firstFrom(BandPart part, long tag) throws IOException {
        int first = 0;
        int end = part.documents();
        while (first < end) {
            int middle = (first + end) >>> 1;
            if (part.tags(middle, 1)[0] < tag) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return first;
    }

    /** Ends the use of all segments. */
    @Override
    public void close() throws IOException {
        for (BandSegment segment : bandSegments().toList()) {
            segment.close();
        }
        parts.clear();
    }

    /** A segment that is written of what was in memory, or of other segments. */
    public static final class Rewrite {
        private final int bands;
        private final List<BandPart> parts;
        private final List<SegmentSource> sources;
        private volatile boolean cancelled;

        private Rewrite(int bands, List<BandPart> parts) {
            this.bands = bands;
            this.parts = List.copyOf(parts);
            this.sources = this.parts.stream().map(BandPart::source).toList();
        }

        /** How many are written; where there is none, there is no file. */
        public int documents() {
            return sources.stream().mapToInt(SegmentSource::documents).sum();
        }

        /**
         * Writes it, in any thread; the table may change meanwhile, but not be closed. The file must not be there.
         *
         * @return whether it was written as a whole, and not cancelled
         */
        public boolean write(Path file) throws IOException {
            return SegmentWriter.write(file, bands, sources, () -> cancelled);
        }

        /** Lets the writing end soon, in vain. */
        public void cancel() {
            cancelled = true;
        }

        /** What has gone since it was begun, by the numbers in what was written. */
        private BitSet goneSince() {
            BitSet gone = new BitSet();
            int base = 0;
            for (int i = 0; i < parts.size(); i++) {
                SegmentSource source = sources.get(i);
                int before = base;
                parts.get(i)
                        .goneStream()
                        .filter(source::isWritten)
                        .forEach(number -> gone.set(before + source.number(number)));
                base += source.documents();
            }
            return gone;
        }
    }
}

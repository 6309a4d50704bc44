package io.neardup.engine.lsh;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * What was in memory when its segment was begun, until that is there. Its documents have the numbers that they will
 * have there: from 0, in the order of their tags.
 */
final class FrozenTable extends BandPart {
    private final BandBuckets[] bands;
    private final DocumentNumbers numbers;
    /** The numbers that they had, in the order of their tags. */
    private final int[] byPlace;

    /** By the number that it had. */
    private final int[] places;

    FrozenTable(BandBuckets[] bands, DocumentNumbers numbers) {
        super(new BitSet(), latest(numbers));
        this.bands = bands;
        this.numbers = numbers;
        int[] used = numbers.tagged(tag -> true).stream().toArray();
        long[] tags = Arrays.stream(used).mapToLong(numbers::tag).sorted().toArray();
        this.byPlace = new int[used.length];
        this.places = new int[used.length == 0 ? 0 : used[used.length - 1] + 1];
        for (int number : used) {
            int place = Arrays.binarySearch(tags, numbers.tag(number));
            places[number] = place;
            byPlace[place] = number;
        }
    }

    private static Latest latest(DocumentNumbers numbers) {
        Latest.Collector latest = new Latest.Collector();
        numbers.tagged(tag -> true).stream().mapToLong(numbers::document).forEach(latest::add);
        return latest.collected();
    }

    @Override
    int documents() {
        return byPlace.length;
    }

    @Override
    long slot(int band, long hash) {
        return hash;
    }

    @Override
    long touch(int band, long slot) {
        return bands[band].touch(slot);
    }

    @Override
    void gather(int band, long hash, long slot, int base, BandBuckets.NumberList into) {
        int from = into.size();
        bands[band].gather(hash, into);
        into.keep(from, number -> isGone(places[number]) ? 0 : BandTable.ofPart(base + places[number]));
    }

    @Override
    long document(int number) {
        return numbers.document(byPlace[number]);
    }

    @Override
    long[] tags(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToLong(number -> numbers.tag(byPlace[number]))
                .toArray();
    }

    @Override
    long heapBytes() {
        long sum = super.heapBytes() + numbers.bytes() + BandTable.ints(byPlace.length) + BandTable.ints(places.length);
        return sum + Arrays.stream(bands).mapToLong(BandBuckets::bytes).sum();
    }

    /** All of it, also who is gone by now. */
    @Override
    SegmentSource source() {
        return new SegmentSource() {
            @Override
            public int documents() {
                return FrozenTable.this.documents();
            }

            @Override
            public boolean isWritten(int number) {
                return true;
            }

            @Override
            public int number(int number) {
                return number;
            }

            @Override
            public Entries entries(int band) {
                return new FrozenEntries(bands[band].entries());
            }

            @Override
            public void forEach(Documents into) throws IOException {
                for (int number = 0; number < byPlace.length; number++) {
                    into.accept(document(number), numbers.tag(byPlace[number]));
                }
            }
        };
    }

    private final class FrozenEntries implements SegmentSource.Entries {
        private final BandBuckets.Entries entries;

        FrozenEntries(BandBuckets.Entries entries) {
            this.entries = entries;
        }

        @Override
        public boolean next() {
            return entries.next();
        }

        @Override
        public long key() {
            return entries.key();
        }

        @Override
        public int number() {
            return places[entries.number()];
        }
    }
}

package io.neardup.engine.similarity;

import io.neardup.engine.text.BoilerplateFilter;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The exact similarity of two texts by their sets of shingles, up to collisions of 64-bit shingle hashes: about 10^-13
 * for two texts of 2,000 shingles.
 *
 * <p>Where boilerplate does not count ({@link BoilerplateShingles}), it tells the similarity of the whole sets too. It
 * compares the whole sets and looks which shingles do not count in what both have together: that is less than cutting
 * each text twice.
 */
public final class ExactOverlap extends ExactJudge {
    private static final Similarity EQUAL_IN_FULL = Similarity.EQUAL.withWhole(1);

    private final Measure measure;
    /** Null where all shingles count. */
    private final @Nullable BoilerplateFilter filter;

    private final HashTable table = new HashTable();
    private final HashTable bitmapped = new HashTable();
    /** The places of the first text's boilerplate in the table. */
    private int[] own = new int[0];

    private int ownFound;
    /** Of the shingles that the second text alone has: how many were looked for, and how many are boilerplate. */
    private int guests;

    private int guestsFound;

    /** A judge by which all shingles count. */
    public ExactOverlap(Shingler shingler, Measure measure) {
        this(shingler, measure, null);
    }

    /**
     * A judge with a shingler and a filter of its own.
     *
     * @param whole excludes nothing
     * @param filter of the hashes of this shingler; null where all shingles count
     */
    ExactOverlap(Shingler whole, Measure measure, @Nullable BoilerplateFilter filter) {
        super(whole);
        this.measure = measure;
        this.filter = filter;
    }

    @Override
    void load(Shingles first) {
        table.load(first);
        if (filter == null) {
            return;
        }
        ownFound = filter.find(table.distinct(), 0, table.size());
        if (own.length < ownFound) {
            own = new int[ownFound];
        }
        System.arraycopy(filter.places(), 0, own, 0, ownFound);
    }

    @Override
    public Optional<BitmapFilter> bitmap(Evidence evidence) {
        bitmapped.load(shingle(evidence));
        if (filter == null) {
            return bitmapOf(bitmapped, own, 0);
        }
        int found = filter.find(bitmapped.distinct(), 0, bitmapped.size());
        return bitmapOf(bitmapped, filter.places(), found);
    }

    @Override
    public Optional<BitmapFilter> bitmapOfFirst(Evidence evidence) {
        loadFirst(evidence);
        return bitmapOf(table, own, ownFound);
    }

    /** Of what counts: as one text does in full where the other doesn't, both have no more of it in common. */
    private Optional<BitmapFilter> bitmapOf(HashTable set, int[] boilerplate, int found) {
        int left = BoilerplateShingles.left(set.size(), found);
        long[] hashes = left == set.size() ? set.distinct() : without(boilerplate, found, set);
        return left == 0 ? Optional.empty() : Optional.of(ShingleBitmap.of(measure, hashes, left));
    }

    private static long[] without(int[] boilerplate, int found, HashTable set) {
        long[] others = new long[set.size() - found];
        int from = 0;
        for (int i = 0; i <= found; i++) {
            int to = i == found ? set.size() : boilerplate[i];
            System.arraycopy(set.distinct(), from, others, from - i, to - from);
            from = to + 1;
        }
        return others;
    }

    @Override
    Similarity similarityTo(Shingles second, double threshold) {
        if (filter == null) {
            return measure.of(
                    table.overlap(second, mostSimilar -> measure.of(mostSimilar).value() >= threshold));
        }
        return filteredSimilarityTo(second, threshold, filter);
    }

    private Similarity filteredSimilarityTo(Shingles second, double threshold, BoilerplateFilter boilerplate) {
        guests = 0;
        guestsFound = 0;
        Overlap whole = table.overlap(
                second, mostSimilar -> best(mostSimilar, boilerplate).value() >= threshold);
        Similarity best = best(whole, boilerplate);
        if (best.value() < threshold) {
            return best;
        }
        int sharedFound = 0;
        for (int i = 0; i < ownFound; i++) {
            sharedFound += table.isShared(own[i]);
        }
        return measure.of(counting(whole, sharedFound, sharedFound + guestsFound))
                .withWhole(measure.of(whole).value());
    }

    /** As if all that both texts have in common counted, as far as there is as much. */
    private Similarity best(Overlap whole, BoilerplateFilter boilerplate) {
        int before = guests;
        guests = whole.second() - whole.shared();
        guestsFound += boilerplate.find(table.distinct(), table.size() + before, table.size() + guests);
        int first = BoilerplateShingles.left(table.size(), ownFound);
        int shared = Math.min(first, whole.shared());
        return measure.of(new Overlap(first, guests - guestsFound + shared, shared));
    }

    /** What is shared counts in full only where both texts do. */
    private Overlap counting(Overlap whole, int sharedFound, int secondFound) {
        int first = BoilerplateShingles.left(whole.first(), ownFound);
        int second = BoilerplateShingles.left(whole.second(), secondFound);
        boolean areWhole = first == whole.first() && second == whole.second();
        return new Overlap(first, second, areWhole ? whole.shared() : whole.shared() - sharedFound);
    }

    @Override
    public double whole(Evidence a, Evidence b) {
        return filter == null ? Double.NaN : similarity(a, b).whole();
    }

    @Override
    Similarity equalTexts() {
        return filter == null ? Similarity.EQUAL : EQUAL_IN_FULL;
    }
}

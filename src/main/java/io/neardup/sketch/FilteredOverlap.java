package io.neardup.sketch;

import io.neardup.text.CommonFilter;
import io.neardup.text.CommonShingles;
import io.neardup.text.Overlap;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;

/**
 * The exact similarity of two texts by their sets of shingles without those that do not count ({@link CommonShingles}),
 * and beside it that of the whole sets. It compares the whole sets and looks which shingles do not count in what both
 * have together: that is less than cutting each text twice.
 */
public final class FilteredOverlap extends ExactJudge {
    private static final Similarity EQUAL = Similarity.EQUAL.withWhole(1);

    private final Measure measure;
    private final CommonFilter filter;
    private final HashTable table = new HashTable();
    /** The places of the first text's common shingles in the table. */
    private int[] own = new int[0];

    private int ownFound;

    /**
     * A judge with a shingler and a filter of its own: all keep scratch buffers, so no other thread may use any.
     *
     * @param whole leaves out nothing
     * @param filter of the hashes of this shingler
     */
    public FilteredOverlap(Shingler whole, Measure measure, CommonFilter filter) {
        super(whole);
        this.measure = measure;
        this.filter = filter;
    }

    @Override
    void load(Shingles first) {
        table.load(first);
        ownFound = filter.find(table.distinct(), 0, table.size());
        if (own.length < ownFound) {
            own = new int[ownFound];
        }
        System.arraycopy(filter.places(), 0, own, 0, ownFound);
    }

    @Override
    Similarity similarityTo(Shingles second) {
        Overlap whole = table.overlap(second);
        int guests = whole.second() - whole.shared();
        int guestsFound = filter.find(table.distinct(), table.size(), table.size() + guests);
        int sharedFound = 0;
        for (int i = 0; i < ownFound; i++) {
            sharedFound += table.isShared(own[i]);
        }
        return measure.of(counting(whole, sharedFound, sharedFound + guestsFound))
                .withWhole(measure.of(whole).value());
    }

    @Override
    public double whole(Evidence a, Evidence b) {
        return similarity(a, b).whole();
    }

    @Override
    Similarity equalTexts() {
        return EQUAL;
    }

    /** What is shared counts in full only where both texts do. */
    private Overlap counting(Overlap whole, int sharedFound, int secondFound) {
        int first = CommonShingles.left(whole.first(), ownFound);
        int second = CommonShingles.left(whole.second(), secondFound);
        boolean areWhole = first == whole.first() && second == whole.second();
        return new Overlap(first, second, areWhole ? whole.shared() : whole.shared() - sharedFound);
    }
}

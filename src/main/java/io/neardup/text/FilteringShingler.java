package io.neardup.text;

/** Leaves out of each text the shingles that do not count ({@link CommonFilter}). */
final class FilteringShingler implements Shingler {
    private final Shingler whole;
    private final CommonFilter filter;

    /** @param filter of the hashes that this shingler gives the common shingles */
    FilteringShingler(Shingler whole, CommonFilter filter) {
        this.whole = whole;
        this.filter = filter;
    }

    @Override
    public void shingle(String canonical, Shingles into) {
        whole.shingle(canonical, into);
        filter.leaveOut(into);
    }

    @Override
    public void shingle(byte[] canonical, int length, Shingles into) {
        whole.shingle(canonical, length, into);
        filter.leaveOut(into);
    }

    @Override
    public String name() {
        return whole.name();
    }
}

package io.neardup.engine.text;

/** Leaves out of each text the shingles that do not count ({@link BoilerplateFilter}). */
final class FilteringShingler implements Shingler {
    private final Shingler whole;
    private final BoilerplateFilter filter;

    /** @param filter of the hashes that this shingler gives the common shingles */
    FilteringShingler(Shingler whole, BoilerplateFilter filter) {
        this.whole = whole;
        this.filter = filter;
    }

    @Override
    public void shingle(String normalized, Shingles into) {
        whole.shingle(normalized, into);
        filter.leaveOut(into);
    }

    @Override
    public void shingle(byte[] normalized, int length, Shingles into) {
        whole.shingle(normalized, length, into);
        filter.leaveOut(into);
    }

    @Override
    public String name() {
        return whole.name();
    }
}

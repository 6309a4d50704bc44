package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verdicts in memory, a list a lane. */
record ListedVerdicts(String name, List<List<Verdict>> verdicts) implements VerdictLog {
    @Override
    public int lanes() {
        return verdicts.size();
    }

    @Override
    public Lane open(int lane) {
        Iterator<Verdict> left = verdicts.get(lane).iterator();
        return new Lane() {
            @Override
            public @Nullable Verdict next() {
                return left.hasNext() ? left.next() : null;
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}

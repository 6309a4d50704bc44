package io.neardup.engine.similarity;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges documents of equal scope, and gives those of different scopes similarity 0. Its evidence begins with 128 bits
 * that stand for the scope.
 */
public final class ScopedJudge implements SimilarityJudge {
    private static final int SCOPE_BYTES = 16;

    private final SimilarityJudge judge;
    /**
     * The first document asked about last, and the inner evidence made for it: the judge within recognises it by
     * identity.
     */
    private @Nullable Evidence lastFirst;

    private Evidence lastInner = Evidence.of(new byte[0]);

    /** @param judge of the evidence inside */
    public ScopedJudge(SimilarityJudge judge) {
        this.judge = judge;
    }

    /**
     * Evidence of a document in a scope.
     *
     * @param scope 16 bytes that no other scope has
     */
    public static Evidence within(byte[] scope, Evidence evidence) {
        if (scope.length != SCOPE_BYTES) {
            throw new IllegalArgumentException("a scope: expected " + SCOPE_BYTES + " bytes, found " + scope.length);
        }
        byte[] inner = evidence.bytes();
        return Evidence.of(ByteBuffer.allocate(SCOPE_BYTES + inner.length)
                .put(scope)
                .put(inner)
                .array());
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        return areOfOneScope(a, b) ? judge.similarity(innerOfFirst(a), inner(b)) : Similarity.NONE;
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b, double threshold) {
        return areOfOneScope(a, b) ? judge.similarity(innerOfFirst(a), inner(b), threshold) : Similarity.NONE;
    }

    @Override
    public double whole(Evidence a, Evidence b) {
        return areOfOneScope(a, b) ? judge.whole(innerOfFirst(a), inner(b)) : 0;
    }

    @Override
    public Optional<BitmapFilter> bitmap(Evidence evidence) {
        return judge.bitmap(inner(evidence));
    }

    @Override
    public Optional<BitmapFilter> bitmapOfFirst(Evidence evidence) {
        return judge.bitmapOfFirst(innerOfFirst(evidence));
    }

    private static boolean areOfOneScope(Evidence a, Evidence b) {
        return Arrays.equals(withScope(a), 0, SCOPE_BYTES, withScope(b), 0, SCOPE_BYTES);
    }

    /** The scope that evidence is {@link #within}. */
    public static byte[] scopeOf(Evidence evidence) {
        return Arrays.copyOf(withScope(evidence), SCOPE_BYTES);
    }

    @SuppressWarnings(
            "ReferenceEquality") // the same object, not one that is equal: to compare would cost as much as to copy
    private Evidence innerOfFirst(Evidence a) {
        if (a != lastFirst) {
            lastFirst = a;
            lastInner = inner(a);
        }
        return lastInner;
    }

    private static byte[] withScope(Evidence evidence) {
        byte[] bytes = evidence.bytes();
        if (bytes.length < SCOPE_BYTES) {
            throw new IllegalArgumentException(
                    "evidence in a scope: expected at least " + SCOPE_BYTES + " bytes, found " + bytes.length);
        }
        return bytes;
    }

    private static Evidence inner(Evidence evidence) {
        return Evidence.of(Arrays.copyOfRange(evidence.bytes(), SCOPE_BYTES, evidence.bytes().length));
    }
}

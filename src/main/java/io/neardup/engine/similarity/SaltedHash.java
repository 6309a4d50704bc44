package io.neardup.engine.similarity;

/** Further 64-bit hashes of a hash that is already mixed: one for each salt, as good as independent of each other. */
final class SaltedHash {
    private static final long SALT_STEP = 0xD1342543DE82EF95L;

    private SaltedHash() {}

    /** The salt of a number from 0 on; with salt 0 too the hash is mixed. */
    static long salt(int number) {
        return SALT_STEP * number;
    }

    /** A mixer of two multiplications. */
    static long of(long hash, long salt) {
        long z = hash ^ salt;
        z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
        z = (z ^ (z >>> 32)) * 0xD6E8FEB86659FD93L;
        return z ^ (z >>> 32);
    }
}

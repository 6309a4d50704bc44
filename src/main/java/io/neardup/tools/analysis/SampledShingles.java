package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.List;

/**
 * Cuts texts, and keeps of their shingles those whose hashes begin with so many zeros: where texts are long, a random
 * sample of their shingles tells as much, in less memory. It is the same for equal shingles, so that similarities are
 * estimated without bias; from n shingles of two texts together within 1 / (2 sqrt(n)) (standard deviation). Not
 * thread-safe.
 */
final class SampledShingles {
    /** Of texts of which half have more different shingles, as many or half as many are kept. */
    static final int TYPICAL_MAX = 8_192;

    /** Bytes of the texts that tell what all are like. */
    private static final long PILOT_BYTES_MAX = 1 << 23;

    /** Enough to tell how many different ones a text has. */
    private static final int COUNTED_MAX = 1 << 14;

    private final Shingler shingler;
    private final int zeros;
    private final Shingles buffer = new Shingles();
    private final Shingles sampled = new Shingles();

    SampledShingles(Shingler shingler, int zeros) {
        this.shingler = shingler;
        this.zeros = zeros;
    }

    /** The shingles of a text that are kept. */
    ShingleSet of(ComparedText text) {
        return zeros == 0 ? text.shingles(shingler, buffer) : text.sampledShingles(shingler, zeros, buffer, sampled);
    }

    /** How many shingles some that were kept stand for. */
    int all(int kept) {
        return (int) Math.min(Integer.MAX_VALUE, (long) kept << zeros);
    }

    /** How many shingles are kept of a byte of text. */
    double perByte(List<ComparedText> texts) {
        long bytes = 1;
        long kept = 1;
        for (ComparedText text : texts) {
            bytes += text.length();
            kept += of(text).size();
        }
        return kept / (double) bytes;
    }

    /** The first texts, two or as many as are not too long together. */
    static List<ComparedText> pilots(List<ComparedText> random) {
        long bytes = 0;
        int count = 0;
        while (count < random.size() && (bytes < PILOT_BYTES_MAX || count < 2)) {
            bytes += random.get(count++).length();
        }
        return random.subList(0, count);
    }

    /**
     * How many zeros leave no more than so many shingles of half of the texts.
     *
     * @param texts some at random
     */
    static int zeros(Shingler shingler, List<ComparedText> texts, int typicalMax) {
        Shingles buffer = new Shingles();
        Shingles sampled = new Shingles();
        int[] sizes = texts.stream()
                .mapToInt(text -> size(shingler, text, buffer, sampled))
                .sorted()
                .toArray();
        int typical = sizes.length == 0 ? 0 : sizes[sizes.length / 2];
        int zeros = 0;
        while (typical >> zeros > typicalMax) {
            zeros++;
        }
        return zeros;
    }

    /** About how many different shingles a text has. */
    private static int size(Shingler shingler, ComparedText text, Shingles buffer, Shingles sampled) {
        shingler.shingle(text.normalized(), text.length(), buffer);
        int bits = 0;
        while (buffer.size() >> bits > COUNTED_MAX) {
            bits++;
        }
        return text.sampledShingles(shingler, bits, buffer, sampled).size() << bits;
    }
}

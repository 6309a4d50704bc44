package io.neardup.engine.similarity;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.SplitMix64;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Vectors of numbers, compared by Euclidean distance. The similarity is 1 / (1 + distance): 0.5 is distance 1. Each
 * value is the bucket, {@code floor((a v + b) / width)}, of the vector v projected on a random line: the components of
 * a are standard normal, b is uniform from 0 to the width (Datar, Immorlica, Indyk and Mirrokni, SoCG 2004, section 3).
 *
 * <p>Options: {@code dimensions}, which must be set, 1 to 4,096; {@code width} of a bucket in units of distance, 4
 * where it is not set. The paper's choice is four times the distance of the threshold: documents at the threshold then
 * agree on 80 % of the values. Wider buckets hold more unrelated documents, narrower ones need more bands.
 *
 * <p>The text has the numbers as {@link Double#parseDouble} reads them, but without letters other than the e of an
 * exponent. Commas or white space stand between, brackets around them are allowed. The evidence is the doubles, big
 * endian, 8 bytes each, so similarities are exact but for rounding. The agreement holds for numbers up to about 10^12
 * widths. Beyond, rounding moves vectors to other buckets.
 */
public final class RandomProjectionFamily implements Family {
    /** Version of signatures and evidence; an index built with another cannot be compared with. */
    public static final int VERSION = 1;

    private static final int VALUES_MAX = 256;
    /** With 256 values signers hold at most 2^20 doubles. */
    private static final int DIMENSIONS_MAX = 4096;

    /** Larger numbers would overflow in sums, and then fall into one bucket whatever the seed. */
    private static final double NUMBER_MAX = 1e100;

    /** Double.parseDouble also reads NaN, hexadecimal and 1d. */
    private static final Pattern NUMBER = Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

    private static final String BETWEEN = " \t\r\n,[]";

    private static final double DEFAULT_WIDTH = 4;
    /** From here on erf is 1 to within 2.2e-17. */
    private static final double ERF_ONE_FROM = 6;

    private final int dimensions;
    private final double width;
    /** Shared by all signers, as these sign under one seed. */
    private @Nullable Projections latest;

    /** @throws IllegalArgumentException when an option is missing, wrong or unknown; the message lists all of it */
    public RandomProjectionFamily(Map<String, String> options) {
        Options read = new Options(options);
        this.dimensions =
                read.needed("dimensions", "an integer from 1 to " + DIMENSIONS_MAX, n -> n >= 1 && n <= DIMENSIONS_MAX);
        this.width = read.optional(
                "width", DEFAULT_WIDTH, "a finite number above 0", number -> number > 0 && Double.isFinite(number));
        read.check();
    }

    @Override
    public Map<String, String> identity() {
        return Map.of(
                "signature.version", String.valueOf(VERSION),
                "family.dimensions", String.valueOf(dimensions),
                "family.width", String.valueOf(width));
    }

    @Override
    public Material material() {
        return Material.NUMBERS;
    }

    @Override
    public int valuesMax() {
        return VALUES_MAX;
    }

    /** The closed form of the paper's section 3.2, with erf(x / sqrt(2)) for 1 - 2 Phi(-x). */
    @Override
    public double agreement(double similarity) {
        double distance = 1 / similarity - 1;
        double ratio = width / distance;
        if (distance <= 0 || ratio <= 0) {
            return distance <= 0 ? 1 : 0;
        }
        double lostAtEdges = -Math.expm1(-ratio * ratio / 2) * Math.sqrt(2 / Math.PI) / ratio;
        return Math.max(0, errorFunction(ratio / Math.sqrt(2)) - lostAtEdges);
    }

    @Override
    public double defaultThreshold() {
        return 0.5;
    }

    /**
     * A distance of 9. Set it for your own vectors: unit vectors at right angles have distance 1.41, which is
     * similarity 0.41.
     */
    @Override
    public double defaultUnrelated() {
        return 0.1;
    }

    /** Signers share values * dimensions numbers, at most 8 MB, which take some tenths of a second to draw. */
    @Override
    public TextSigner signer(int values, long seed) {
        Family.requireValues(values, VALUES_MAX);
        Projections projections = projections(values, seed);
        return (utf8, from, to) -> {
            double[] vector = vector(utf8, from, to);
            return new SignedText(projections.buckets(vector), evidence(vector));
        };
    }

    private synchronized Projections projections(int lines, long seed) {
        if (latest == null || latest.seed != seed || latest.offsets.length != lines) {
            latest = new Projections(lines, seed);
        }
        return latest;
    }

    private double[] vector(byte[] utf8, int from, int to) throws UnsignableException {
        StringTokenizer numbers = new StringTokenizer(new String(utf8, from, to - from, ISO_8859_1), BETWEEN);
        if (numbers.countTokens() != dimensions) {
            throw new UnsignableException("Expected " + dimensions
                    + " numbers with commas or white space between; found " + numbers.countTokens());
        }
        double[] vector = new double[dimensions];
        for (int i = 0; i < dimensions; i++) {
            vector[i] = number(numbers.nextToken(), i);
        }
        return vector;
    }

    private double number(String digits, int index) throws UnsignableException {
        double number = NUMBER.matcher(digits).matches() ? Double.parseDouble(digits) : Double.NaN;
        if (!(Math.abs(number) <= NUMBER_MAX)) {
            throw new UnsignableException("Expected " + dimensions
                    + " numbers in decimal from -1e100 to 1e100; found none at position " + (index + 1));
        }
        return number;
    }

    private static Evidence evidence(double[] vector) {
        ByteBuffer buffer = ByteBuffer.allocate(Double.BYTES * vector.length);
        buffer.asDoubleBuffer().put(vector);
        return Evidence.of(buffer.array());
    }

    @Override
    public SimilarityJudge judge(int values, long seed) {
        return (a, b) -> {
            Evidence.requireLength(a, b, Double.BYTES * dimensions);
            return Similarity.of(1 / (1 + distance(ByteBuffer.wrap(a.bytes()), ByteBuffer.wrap(b.bytes()))));
        };
    }

    private static double distance(ByteBuffer a, ByteBuffer b) {
        double squares = 0;
        while (a.hasRemaining()) {
            double difference = a.getDouble() - b.getDouble();
            squares += difference * difference;
        }
        return Math.sqrt(squares);
    }

    /**
     * The error function, which the JDK lacks: the chance that a normal variable is within x * sqrt(2) standard
     * deviations of its mean. By a series of positive terms (Abramowitz and Stegun, 7.1.6), which loses no digits:
     * within 1e-14, after at most 160 terms.
     *
     * @param x at least 0, or infinite
     */
    static double errorFunction(double x) {
        if (x >= ERF_ONE_FROM) {
            return 1;
        }
        double term = x;
        double sum = x;
        for (int odd = 3; term > sum * 1e-17; odd += 2) {
            term *= 2 * x * x / odd;
            sum += term;
        }
        return Math.min(1, 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum);
    }

    /** Random lines in space, cut into buckets of one width at random offsets. */
    private final class Projections {
        /** The components of each line's direction, line after line. */
        private final double[] directions;

        private final double[] offsets;
        private final long seed;

        Projections(int lines, long seed) {
            this.seed = seed;
            this.directions = new double[lines * dimensions];
            this.offsets = new double[lines];
            SplitMix64 draws = new SplitMix64(seed);
            for (int i = 0; i < directions.length; i++) {
                directions[i] = draws.normal();
            }
            for (int i = 0; i < lines; i++) {
                offsets[i] = width * draws.unit();
            }
        }

        /** The bucket of each line that a vector falls into, as 32 bits of a hash of the bucket's number. */
        int[] buckets(double[] vector) {
            int[] buckets = new int[offsets.length];
            for (int line = 0; line < buckets.length; line++) {
                double bucket = Math.floor((product(line * dimensions, vector) + offsets[line]) / width);
                // A cast to long would put all large numbers into one bucket. + 0.0 turns -0.0, which has other bits,
                // into 0.0.
                buckets[line] = (int) SplitMix64.mix(Double.doubleToLongBits(bucket + 0.0));
            }
            return buckets;
        }

        /** Sums in one fixed order, so that every machine rounds alike. */
        private double product(int at, double[] vector) {
            double sum = 0;
            for (int i = 0; i < vector.length; i++) {
                sum += directions[at + i] * vector[i];
            }
            return sum;
        }
    }
}

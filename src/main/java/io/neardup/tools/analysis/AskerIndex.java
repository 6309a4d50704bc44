package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import java.util.Arrays;

/**
 * Documents by their shingles, and how many shingles each of them shares with one that passes: exact counts, of all at
 * once. Not thread-safe. Memory: 52 to 80 bytes a different shingle, and 4 to 8 a further document that has
 * it.
 */
final class AskerIndex {
    private final ShingleNumbers numbers = new ShingleNumbers();
    /** For each number the documents that have the shingle; the first length of each is in use. */
    private int[][] holders = new int[1024][];

    private int[] lengths = new int[1024];
    private int[] sizes = new int[64];
    private int[] shared = new int[64];
    private int count;

    /** Adds a document; its number is how many there were. */
    void add(ShingleSet shingles) {
        if (count == sizes.length) {
            sizes = Arrays.copyOf(sizes, 2 * count);
            shared = Arrays.copyOf(shared, 2 * count);
        }
        sizes[count] = shingles.size();
        for (int i = 0; i < shingles.size(); i++) {
            append(numbers.meet(shingles.hash(i)));
        }
        count++;
    }

    private void append(int number) {
        if (number >= holders.length) {
            holders = Arrays.copyOf(holders, 2 * holders.length);
            lengths = Arrays.copyOf(lengths, holders.length);
        }
        int length = lengths[number];
        if (length == 0) {
            holders[number] = new int[1];
        } else if (length == holders[number].length) {
            holders[number] = Arrays.copyOf(holders[number], 2 * length);
        }
        holders[number][length] = count;
        lengths[number]++;
    }

    /** Documents added. */
    int count() {
        return count;
    }

    /** Shingles of a document. */
    int size(int document) {
        return sizes[document];
    }

    /** How many shingles each document shares with some; valid until the next call, up to {@link #count}. */
    int[] shared(ShingleSet shingles) {
        int[] counts = shared;
        Arrays.fill(counts, 0, count, 0);
        for (int i = 0; i < shingles.size(); i++) {
            int number = numbers.find(shingles.hash(i));
            if (number >= 0) {
                int[] documents = holders[number];
                for (int at = 0, end = lengths[number]; at < end; at++) {
                    counts[documents[at]]++;
                }
            }
        }
        return counts;
    }

    /** The Jaccard similarity of a document and of some shingles of which it has so many. */
    double jaccard(int document, int common, int size) {
        return common == 0 ? 0 : common / (double) (sizes[document] + size - common);
    }
}

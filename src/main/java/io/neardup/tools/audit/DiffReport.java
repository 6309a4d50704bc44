package io.neardup.tools.audit;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * How two services judge the same input.
 *
 * @param all of the pairs
 * @param byRange pairs in which somebody says duplicate, by the lower end of the range of their similarity
 * @param bySource pairs by source, those of which most part first
 * @param overTime the tenths of the input partitions, the first first; those of few pairs may be missing
 * @param examples the clearest of each way in which they part
 */
public record DiffReport(
        Side a,
        Side b,
        Shares all,
        SortedMap<Double, Shares> byRange,
        List<SourceShares> bySource,
        List<Tenth> overTime,
        List<JudgedPair> examples) {

    /**
     * One of the two.
     *
     * @param settings how many of the pairs were judged under which settings, by fingerprint
     */
    public record Side(String name, Map<String, Long> settings, LeftOut leftOut) {}

    /**
     * The pairs of one source.
     *
     * @param source as documents name it
     */
    public record SourceShares(String source, Shares shares) {}

    /**
     * A tenth of the pairs of each input partition.
     *
     * @param number 0 to 9
     * @param fromMillis the lowest of the timestamps with which it begins
     */
    public record Tenth(int number, long fromMillis, Shares shares) {}
}

package io.neardup.tools.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of documents as people write them: 100000, 100k, 5m. */
final class IndexSizes {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,8})([km]?)");
    private static final long MAX = 100_000_000;

    private IndexSizes() {}

    /** @throws IllegalArgumentException if one is no number, too large, or not above the one before */
    static List<Long> parse(List<String> sizes) {
        List<Long> parsed = sizes.stream().map(IndexSizes::parse).toList();
        for (int i = 1; i < parsed.size(); i++) {
            if (parsed.get(i) <= parsed.get(i - 1)) {
                throw new IllegalArgumentException("expected rising numbers, found " + String.join(",", sizes));
            }
        }
        return parsed;
    }

    private static long parse(String size) {
        Matcher matcher = SIZE.matcher(size.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected numbers such as 50000, 100k or 5m, found " + size);
        }
        long unit = matcher.group(2).equals("k") ? 1_000 : matcher.group(2).equals("m") ? 1_000_000 : 1;
        long number = Long.parseLong(matcher.group(1)) * unit;
        if (number > MAX) {
            throw new IllegalArgumentException("expected at most " + MAX + ", found " + size);
        }
        return number;
    }
}

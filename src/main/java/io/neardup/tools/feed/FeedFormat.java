package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The formats of files, told by how a file begins. Its name counts only where that leaves several. */
enum FeedFormat {
    /** A record a line; also where some lines are no JSON. */
    LINES,
    ARRAY,
    /** JSON objects over several lines, one after the other. */
    OBJECTS,
    TABLE,
    /** WARC, WET and ARC. */
    CRAWL,
    /** RSS and Atom. */
    NEWS,
    HTML,
    /** The whole file is one text. */
    TEXT;

    /** As many bytes are looked at. */
    static final int HEAD_BYTES = 1 << 16;

    private static final int CASELESS = Pattern.DOTALL | Pattern.CASE_INSENSITIVE;
    private static final Pattern ARC_HEADER =
            Pattern.compile("filedesc:|(?>\\S+?://)\\S++ \\d{1,3}(\\.\\d{1,3}){3} \\d{8,}+ ");

    private static final Pattern ARRAY_START = Pattern.compile("\\[\\s*[{\\]]");
    private static final Pattern OBJECT_START = Pattern.compile("\\{[ \\t\\r]*\n\\s*[\"}]");
    private static final Pattern LATER_ARCHIVE = Pattern.compile("\nWARC/\\d");
    private static final Pattern LATER_OBJECT = Pattern.compile("\n[^\\S\n]*+\\{");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0e-\\x1a\\x1c-\\x1f]");
    private static final Pattern PROLOG =
            Pattern.compile("\\G\\s*(<\\?.*?\\?>|<!--.*?-->|<!DOCTYPE[^\\[>]*(\\[.*?]\\s*)?>)", CASELESS);
    private static final Pattern HTML_TYPE = Pattern.compile("<!DOCTYPE\\s+html", CASELESS);
    private static final Pattern TAG = Pattern.compile("\\s*<\\s*([A-Za-z][\\w.-]*:)?([A-Za-z][\\w.-]*)[\\s/>]");
    private static final Set<String> NEWS_TAGS = Set.of("rss", "rdf", "feed");
    private static final Set<String> HTML_TAGS = Set.of(("html head body title meta link script style base div p table"
                    + " h1 h2 h3 a span center font article main section header ul ol frameset img")
            .split(" ", -1));

    private static final Set<String> ARCHIVES = Set.of("warc", "wet", "wat", "arc");

    /**
     * Detects the format.
     *
     * @param head the first bytes, in an encoding that has ASCII as one byte each
     * @param isAll whether no more bytes will be looked at
     * @param inFolder whether it was found in a folder that was given: there, every text is a document
     * @return null if none fits, or more bytes are needed
     */
    static @Nullable FeedFormat detect(byte[] head, boolean isAll, String name, boolean inFolder) {
        String text = new String(head, ISO_8859_1)
                .substring(Charsets.markLength(head))
                .stripLeading();
        if (text.isEmpty()) {
            // All lines are blank, or the packing is damaged from the start: other members of an archive are not.
            return !isAll ? null : ARCHIVES.contains(ending(name)) ? CRAWL : LINES;
        }
        FeedFormat bySign = bySign(text, isAll, ending(name));
        return bySign != null || !isAll ? bySign : byLines(text, ending(name), inFolder);
    }

    private static @Nullable FeedFormat bySign(String text, boolean isAll, String ending) {
        if (text.charAt(0) == '{') {
            boolean isOpen = text.substring(1).isBlank() && !isAll;
            return isOpen ? null : OBJECT_START.matcher(text).lookingAt() ? OBJECTS : LINES;
        }
        if (text.startsWith("WARC/") || ARC_HEADER.matcher(text).lookingAt()) {
            return CRAWL;
        }
        if (ARRAY_START.matcher(text).lookingAt()) {
            return ARRAY;
        }
        return text.charAt(0) == '<' ? byMarkup(text, isAll, ending) : null;
    }

    private static @Nullable FeedFormat byMarkup(String text, boolean isAll, String ending) {
        Matcher prolog = PROLOG.matcher(text);
        int start = 0;
        while (prolog.find()) {
            start = prolog.end();
        }
        Matcher tag = TAG.matcher(text).region(start, text.length());
        if (tag.lookingAt()) {
            String element = tag.group(2).toLowerCase(Locale.ROOT);
            if (NEWS_TAGS.contains(element)) {
                return NEWS;
            }
            if (HTML_TAGS.contains(element)) {
                return HTML;
            }
        }
        boolean isNamedHtml = Set.of("html", "htm", "xhtml").contains(ending);
        return HTML_TYPE.matcher(text.substring(0, start)).find() || (isAll && isNamedHtml) ? HTML : null;
    }

    private static @Nullable FeedFormat byLines(String text, String ending, boolean inFolder) {
        if (LATER_ARCHIVE.matcher(text).find()) {
            return CRAWL;
        }
        boolean isText = Set.of("txt", "text", "md").contains(ending);
        boolean isTable = Set.of("csv", "tsv", "tab").contains(ending);
        boolean isNamed = isText || isTable;
        if (text.indexOf('\0') >= 0 || (!isNamed && CONTROL.matcher(text).find())) {
            return null;
        }
        if (isText) {
            return TEXT;
        }
        if (isTable) {
            return TABLE;
        }
        if (Set.of("jsonl", "ndjson", "json").contains(ending)
                || LATER_OBJECT.matcher(text).find()) {
            return LINES;
        }
        if (looksLikeTable(text)) {
            return TABLE;
        }
        return inFolder ? TEXT : null;
    }

    /** Names of columns, and a row of as many cells. */
    private static boolean looksLikeTable(String text) {
        List<String> lines = TableReader.withoutSeparator(text).lines().limit(2).toList();
        if (lines.size() < 2) {
            return false;
        }
        char separator = TableReader.separator(lines.get(0));
        List<String> names = List.of(lines.get(0).split(Pattern.quote(String.valueOf(separator)), -1));
        boolean areNames =
                names.size() > 1 && names.stream().allMatch(name -> name.matches("\"?[^\\s\",;\\d][^\",;]{0,63}\"?"));
        return areNames && lines.get(1).split(String.valueOf(separator), -1).length >= names.size();
    }

    /** Of a name, in lower case, without what says how it is packed. */
    private static String ending(String name) {
        String bare = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst|zstd)$", "");
        return bare.substring(Math.max(bare.lastIndexOf('.'), bare.lastIndexOf('/')) + 1);
    }
}

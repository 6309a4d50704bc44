package io.neardup.engine.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.parser.Tag;
import org.jsoup.select.NodeFilter;

/**
 * Title and main text of HTML.
 *
 * <p>The main text is what the one {@code main} element holds ({@code role=main} is one too), else the one
 * {@code article}, else the body; one without text does not count. Left out are what is not shown (scripts, styles,
 * templates, what is hidden), what leads elsewhere or stands around the text ({@code nav}, {@code aside}, {@code
 * footer}, {@code header} outside of articles and main elements, and elements with such roles), and what is filled in
 * (buttons, fields and lists to choose from); a main element or article within these does not count. Each block is a
 * line, each run of white space in it one space.
 */
public final class HtmlText {
    /** Of what is extracted: a change of it changes texts, so that an index must not mix two. */
    public static final int VERSION = 3;

    /** The deepest nesting of elements. */
    public static final int DEPTH_MAX = 512;

    /** The most tags, start and end: each takes 10 to 30 us and up to 500 bytes as long as the page is read. */
    public static final int TAGS_MAX = 200_000;

    /** The most characters of a tag's name: the parser copies it anew every few of them, 1 MB takes seconds. */
    private static final int NAME_LENGTH_MAX = 1 << 16;

    /** The most bytes of a page, for who reads it to hold to. */
    public static final int BYTES_MAX = 4 << 20;

    private static final Set<String> EXCLUDED = Set.of(
            ("script style noscript template svg math iframe object embed applet canvas audio video map nav aside"
                            + " footer menu dialog button select datalist textarea input head title noframes")
                    .split(" ", -1));

    /** What begins as XML, or names the space of XHTML in its {@code html} element. */
    private static final Pattern XHTML = Pattern.compile(
            "\\s*+(?:<\\?xml\\b|(?:<!DOCTYPE[^>]{0,500}+>\\s*+)?+<html\\b[^>]{0,2000}?\\bxmlns\\s*+=)",
            Pattern.CASE_INSENSITIVE);

    /** Some pages are hidden until their scripts have run. */
    private static final Set<String> SHOWN_LATER = Set.of("html", "body");

    private static final Pattern HIDDEN = Pattern.compile(
            "(?:^|[;\\s])(?:display\\s*+:\\s*+none|visibility\\s*+:\\s*+hidden)\\b", Pattern.CASE_INSENSITIVE);

    private static final Set<String> ROLES_EXCLUDED =
            Set.of("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu");

    private HtmlText() {}

    /**
     * What was found.
     *
     * @param title without markup; empty if there is none
     * @param text lines, without markup; may be empty
     */
    public record Extract(String title, String text) {}

    /**
     * Reads a page; whatever the markup is, something is made of it, mostly as a browser does. But where it says that
     * it is XHTML, also if the server does not, an element that is closed at once is empty: else all behind a {@code
     * <script/>} were script.
     */
    public static Extract of(String html) throws HtmlBoundException {
        return of(html, XHTML.matcher(html).lookingAt());
    }

    private static Extract of(String html, boolean isXml) throws HtmlBoundException {
        int tags = tags(html);
        if (tags > TAGS_MAX) {
            throw HtmlBoundException.tooMuch("expected at most " + TAGS_MAX + " tags in HTML, found " + tags);
        }
        Parser parser = Parser.htmlParser().setMaxDepth(DEPTH_MAX + 1);
        if (isXml) {
            parser.tagSet().onNewTag(tag -> tag.set(Tag.SelfClose));
        }
        Document document = parser.parseInput(html, "");
        Lines lines = new Lines();
        document.filter(lines);
        return new Extract(document.title(), lines.mainText());
    }

    /** What may begin a tag, so also a little that does not. */
    private static int tags(String html) throws HtmlBoundException {
        int tags = 0;
        for (int at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
            tags++;
            if (html.length() - at > NAME_LENGTH_MAX) {
                checkName(html, html.startsWith("/", at + 1) ? at + 2 : at + 1);
            }
        }
        return tags;
    }

    private static void checkName(String html, int from) throws HtmlBoundException {
        int end = from;
        boolean isName = from < html.length() && isLetter(html.charAt(from));
        while (isName && end < html.length() && !isNameEnd(html.charAt(end))) {
            end++;
            if (end - from > NAME_LENGTH_MAX) {
                throw HtmlBoundException.tooMuch(
                        "expected at most " + NAME_LENGTH_MAX + " characters in the name of a tag in HTML, found more");
            }
        }
    }

    private static boolean isLetter(char c) {
        return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }

    private static boolean isNameEnd(char c) {
        return c == '>' || c == '/' || c == '<' || c == ' ' || (c >= '\t' && c <= '\r');
    }

    /** The text of a piece of markup, such as the description of a feed's item. */
    public static String ofFragment(String html) throws HtmlBoundException {
        if (html.indexOf('<') < 0 && html.indexOf('&') < 0) {
            return html.strip();
        }
        return of(html).text();
    }

    /** The text of a piece of XHTML. */
    public static String ofXml(String xhtml) throws HtmlBoundException {
        return of(xhtml, true).text();
    }

    /** Gathers lines; goes down without recursion, so that depth costs no stack. */
    private static final class Lines implements NodeFilter {
        private final StringBuilder text = new StringBuilder();
        private final Part page = new Part(0, 0);
        private final List<Part> mains = new ArrayList<>();
        private final List<Part> articles = new ArrayList<>();
        /** The main elements and articles around, the innermost first. */
        private final Deque<Part> open = new ArrayDeque<>();
        /** Nodes that were too deep to be read. */
        private int tooDeep;

        /** Where the text of an element begins and ends, and what was too deep before it, then in it. */
        private static final class Part {
            private final int from;
            private int to;
            private int tooDeep;

            Part(int from, int tooDeep) {
                this.from = from;
                this.tooDeep = tooDeep;
            }
        }

        String mainText() throws HtmlBoundException {
            end(page);
            Part part = Stream.of(mains, articles)
                    .map(parts -> parts.stream()
                            .filter(one -> one.tooDeep > 0 || hasText(one))
                            .toList())
                    .filter(parts -> parts.size() == 1)
                    .map(parts -> parts.get(0))
                    .findFirst()
                    .orElse(page);
            if (part.tooDeep > 0) {
                throw HtmlBoundException.tooDeep();
            }
            return text.substring(part.from, Math.max(part.from, part.to)).strip();
        }

        private boolean hasText(Part part) {
            int at = part.from;
            while (at < part.to && isSpace(text.charAt(at))) {
                at++;
            }
            return at < part.to;
        }

        @Override
        public FilterResult head(Node node, int depth) {
            if (depth >= DEPTH_MAX) {
                tooDeep++;
                return FilterResult.SKIP_ENTIRELY;
            }
            if (node instanceof TextNode words) {
                append(words.getWholeText());
            } else if (node instanceof Element element) {
                if (isExcluded(element)) {
                    return FilterResult.SKIP_ENTIRELY;
                }
                breakLine(element);
                begin(element);
            }
            return FilterResult.CONTINUE;
        }

        @Override
        public FilterResult tail(Node node, int depth) {
            if (node instanceof Element element) {
                breakLine(element);
                if (isMain(element) || isArticle(element)) {
                    end(open.pop());
                }
            }
            return FilterResult.CONTINUE;
        }

        private void begin(Element element) {
            if (isMain(element) || isArticle(element)) {
                Part part = new Part(text.length(), tooDeep);
                (isMain(element) ? mains : articles).add(part);
                open.push(part);
            }
        }

        private void end(Part part) {
            part.to = text.length();
            part.tooDeep = tooDeep - part.tooDeep;
        }

        private static boolean isMain(Element element) {
            return element.normalName().equals("main")
                    || element.attr("role").strip().equalsIgnoreCase("main");
        }

        private static boolean isArticle(Element element) {
            return element.normalName().equals("article");
        }

        private boolean isExcluded(Element element) {
            String name = element.normalName();
            return EXCLUDED.contains(name)
                    || (name.equals("header") && open.isEmpty())
                    || element.hasAttr("hidden")
                    || (!SHOWN_LATER.contains(name)
                            && HIDDEN.matcher(element.attr("style")).find())
                    || element.attr("aria-hidden").equalsIgnoreCase("true")
                    || ROLES_EXCLUDED.contains(element.attr("role").toLowerCase(Locale.ROOT));
        }

        private void breakLine(Element element) {
            String name = element.normalName();
            boolean isCell = name.equals("td") || name.equals("th");
            if (isCell) {
                append(" ");
            } else if (element.isBlock() || name.equals("br")) {
                trimEnd();
                if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
                    text.append('\n');
                }
            }
        }

        /** Most words stand as they should; what does is taken at once, not by the character. */
        private void append(String words) {
            boolean isBehindSpace = text.isEmpty() || isSpace(text.charAt(text.length() - 1));
            int from = 0;
            for (int i = 0; i < words.length(); i++) {
                char c = words.charAt(i);
                if (!isWhite(c)) {
                    isBehindSpace = false;
                } else if (c == ' ' && !isBehindSpace) {
                    isBehindSpace = true;
                } else {
                    text.append(words.substring(from, i)).append(isBehindSpace ? "" : " ");
                    isBehindSpace = true;
                    from = i + 1;
                }
            }
            text.append(from == 0 ? words : words.substring(from));
        }

        private static boolean isWhite(char c) {
            return c == ' ' || ((c < ' ' || c > '~') && (Character.isWhitespace(c) || c == '\u00a0'));
        }

        private void trimEnd() {
            int end = text.length();
            while (end > 0 && text.charAt(end - 1) == ' ') {
                end--;
            }
            text.setLength(end);
        }

        private static boolean isSpace(char c) {
            return c == ' ' || c == '\n';
        }
    }
}

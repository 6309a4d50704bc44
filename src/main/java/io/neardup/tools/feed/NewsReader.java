package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.Range;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;
import org.jsoup.select.NodeFilter.FilterResult;
import org.jsoup.select.NodeTraversor;
import org.jspecify.annotations.Nullable;

/**
 * The items of RSS and the entries of Atom, read by jsoup, which makes something of markup that is broken, too, as
 * browsers do. It expands no entities of a DTD, and prefixes are taken for what they usually stand for, as many feeds
 * do not declare them.
 */
final class NewsReader extends FormatReader {
    /** The most characters of an item, and of what lies before the first one. */
    static final int ITEM_CHARS_MAX = 16 << 20;

    private static final int DEPTH_MAX = 100;
    private static final Set<String> ITEMS = Set.of("item", "entry");
    private static final Set<String> FEEDS = Set.of("channel", "feed", "rdf", "rss");
    /** Elements of other vocabularies, such as media and podcasts, may have the same names for other things. */
    private static final Set<String> PREFIXES = Set.of("", "atom", "a", "rss", "content", "dc", "dcterms", "rdf");

    private static final Set<String> MARKUP = Set.of("description", "encoded", "content", "summary");
    private static final Pattern ENCODING =
            Pattern.compile("<\\?xml[^>]{0,200}?encoding\\s*+=\\s*+[\"']([\\w.:-]{1,40})[\"']");
    private static final Pattern DECLARED = Pattern.compile("<!ENTITY\\s++(?:%\\s++)?+([\\w.:-]{1,100})");
    private static final Pattern REFERENCE = Pattern.compile("&([\\w.:-]{1,100});");

    private final NewsChars chars;
    private @Nullable Iterator<Element> elements;
    private final Set<String> declared = new HashSet<>();
    /** What the items lie in. */
    private @Nullable Element about;

    private String feed = "";
    private String language = "";

    /** @param head the first bytes, as ASCII, with all that lies before the first element */
    NewsReader(String source, InputStream in, byte[] head, boolean isTranscoded, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        String start = new String(head, ISO_8859_1);
        Matcher encoding = ENCODING.matcher(start);
        boolean isSaid = !isTranscoded && Charsets.markLength(head) == 0 && encoding.find();
        this.chars = new NewsChars(in, isSaid ? Charsets.ofBytes(encoding.group(1)) : null);
        DECLARED.matcher(start).results().forEach(name -> declared.add(name.group(1)));
    }

    private Iterator<Element> parsed() {
        // With room for the elements around an item.
        Parser xml = Parser.xmlParser().setTrackPosition(true).setMaxDepth(DEPTH_MAX + 8);
        StreamParser parser = new StreamParser(xml).parse(chars, "");
        parser.document().outputSettings().prettyPrint(false);
        return parser.iterator();
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException, SkippedException, HtmlBoundException {
        Element item = nextItem();
        if (item == null) {
            return null;
        }
        offset = item.sourceRange().startPos();
        try {
            if (!hasEnd(item)) {
                chars.checkEnd();
                throw new SkippedException(Skip.TRUNCATED, "expected the end tag of the item, found none");
            }
            return record(json(item));
        } finally {
            forget(item);
        }
    }

    private @Nullable Element nextItem() throws IOException {
        Iterator<Element> all = elements;
        try {
            if (all == null) {
                // jsoup reads here already.
                all = parsed();
                elements = all;
            }
            while (all.hasNext()) {
                Element next = all.next();
                if (isItem(next) && !isContent(next)) {
                    return next;
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        chars.checkEnd();
        return null;
    }

    /** By a tag of its own, or as one closed in itself, whose end is implied where it begins. */
    private static boolean hasEnd(Element item) {
        Range end = item.endSourceRange();
        return end.isTracked()
                && (!end.isImplicit() || end.startPos() == item.sourceRange().startPos());
    }

    private static boolean isItem(Element element) {
        return ITEMS.contains(local(element)) && PREFIXES.contains(prefix(element));
    }

    /**
     * Whether an element is of what an item has in it. One that lies in another alone is not: it is the next item, and
     * the other has no end.
     */
    private static boolean isContent(Element element) {
        boolean isForeign = false;
        for (Element at = element.parent(); at != null; at = at.parent()) {
            if (isItem(at)) {
                return isForeign;
            }
            isForeign |= !PREFIXES.contains(prefix(at)) || at.attr("type").equals("xhtml") || at.hasAttr("xmlns");
        }
        return false;
    }

    /** With all that lies before, so that a long feed is never whole in memory. */
    private void forget(Element item) {
        chars.forget(item.sourceRange().endPos());
        for (Element at = item; at != null; at = at.parent()) {
            for (Node before = at.previousSibling(); before != null; before = at.previousSibling()) {
                before.remove();
            }
        }
        item.remove();
    }

    private RecordJson json(Element item) throws SkippedException, HtmlBoundException {
        readFeed(item);
        FilterResult end = NodeTraversor.filter(
                (node, depth) -> depth > DEPTH_MAX ? FilterResult.STOP : FilterResult.CONTINUE, item);
        if (end == FilterResult.STOP) {
            throw HtmlBoundException.tooDeep();
        }
        Map<String, String> found = new HashMap<>();
        List<String> categories = new ArrayList<>();
        keep(found, "about", item.attr("rdf:about"));
        for (Element field : item.children()) {
            String name = local(field);
            if (name.equals("link") && Set.of("", "alternate").contains(field.attr("rel"))) {
                keep(found, "href", field.attr("href"));
            }
            if (!PREFIXES.contains(prefix(field))) {
                continue;
            }
            if (name.equals("category")) {
                String term = field.attr("term").isEmpty() ? field.wholeText() : field.attr("term");
                categories.add(term.strip());
            } else if (name.equals("source")) {
                keep(found, "sourceName", field.children().isEmpty() ? field.wholeText() : child(field, "title"));
                keep(found, "sourceUrl", sourceUrl(field));
            } else {
                keep(found, name, name.equals("author") ? author(field) : content(field));
            }
        }
        checkEntities(found.values());
        String url = first(found, "href", "link", "about");
        String id = first(found, "guid", "id", "identifier");
        String title = found.get("title");
        String name = first(found, "sourceName", "sourceUrl");
        String spoken = first(found, "language");
        return new RecordJson()
                .put(RecordJson.ID, id != null ? id : url)
                .put(RecordJson.URL, url)
                .put(RecordJson.TITLE, title == null ? null : Parser.unescapeEntities(title, false))
                .put(RecordJson.TEXT, first(found, "encoded", "content", "description", "summary"))
                .put(
                        RecordJson.DATE,
                        date(first(found, "pubdate", "published", "date", "updated", "issued", "modified")))
                .put(RecordJson.SOURCE, name != null ? name : feed)
                .put("sourceUrl", found.get("sourceUrl"))
                .put("feed", name != null ? feed : null)
                .put("creator", first(found, "creator", "author"))
                .put("categories", categories)
                .put("language", spoken != null ? spoken : item.hasAttr("xml:lang") ? item.attr("xml:lang") : language);
    }

    /** Of what the item lies in, however many items without an end are between. */
    private void readFeed(Element item) {
        Element found = item.parent();
        while (found != null && !FEEDS.contains(local(found))) {
            found = found.parent();
        }
        if (found == null) {
            return;
        }
        if (!found.equals(about)) {
            about = found;
            feed = "";
            language = "";
        }
        readAbout(found);
        // Of RSS 1.0 the channel is a sibling of the items.
        found.children().stream()
                .filter(child -> local(child).equals("channel"))
                .forEach(this::readAbout);
    }

    private void readAbout(Element found) {
        if (feed.isEmpty()) {
            feed = Parser.unescapeEntities(child(found, "title"), false).strip();
        }
        if (language.isEmpty()) {
            String said = found.attr("xml:lang");
            language = (said.isBlank() ? child(found, "language") : said).strip();
        }
    }

    private static String child(Element parent, String name) {
        return parent.children().stream()
                .filter(child -> local(child).equals(name) && PREFIXES.contains(prefix(child)))
                .map(Element::wholeText)
                .findFirst()
                .orElse("");
    }

    /** Of RSS in an attribute; of Atom where the source itself says that it is, else its id. */
    private static String sourceUrl(Element of) {
        return of.children().stream()
                .filter(child ->
                        local(child).equals("link") && !child.attr("rel").equals("self"))
                .map(child -> child.attr("href"))
                .findFirst()
                .orElse(of.hasAttr("url") ? of.attr("url") : child(of, "id"));
    }

    private static String author(Element of) {
        return of.children().isEmpty() ? of.wholeText() : child(of, "name");
    }

    /** What is text stays as it is; all else is markup, and what is escaped in it too. */
    private static String content(Element field) throws HtmlBoundException {
        StringBuilder content = new StringBuilder();
        for (Node node : field.childNodes()) {
            if (node instanceof TextNode text) {
                content.append(text.getWholeText());
            } else if (node instanceof Element) {
                content.append(node.outerHtml());
            }
        }
        if (!field.children().isEmpty()) {
            return HtmlText.ofXml(content.toString()); // As it is written again here.
        }
        String type = field.attr("type");
        boolean isMarkup =
                type.equals("html") || type.equals("xhtml") || (MARKUP.contains(local(field)) && !type.equals("text"));
        return isMarkup ? HtmlText.ofFragment(content.toString()) : content.toString();
    }

    private void checkEntities(Collection<String> values) throws SkippedException {
        for (String value : declared.isEmpty() ? List.<String>of() : values) {
            if (REFERENCE.matcher(value).results().anyMatch(entity -> declared.contains(entity.group(1)))) {
                throw new SkippedException(Skip.ENTITY, "it refers to an entity of a DTD, and these are not expanded");
            }
        }
    }

    private static String local(Element element) {
        return element.tag().localName().toLowerCase(Locale.ROOT);
    }

    private static String prefix(Element element) {
        return element.tag().prefix().toLowerCase(Locale.ROOT);
    }

    private static void keep(Map<String, String> found, String name, String value) {
        if (!value.isBlank()) {
            found.putIfAbsent(name, value.strip());
        }
    }

    private static @Nullable String first(Map<String, String> found, String... names) {
        return Stream.of(names)
                .map(found::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** That of RSS as Atom writes it; what is neither stays as it is. */
    private static @Nullable String date(@Nullable String written) {
        if (written == null) {
            return null;
        }
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(written))
                    .toString();
        } catch (DateTimeException e) {
            return written;
        }
    }
}

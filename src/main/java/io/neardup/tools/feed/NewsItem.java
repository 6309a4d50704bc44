package io.neardup.tools.feed;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import java.io.StringReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jsoup.nodes.Entities;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * One item of RSS or entry of Atom, read with StAX without DTDs and external entities. Prefixes are taken for what they
 * usually stand for, as many feeds do not declare them.
 */
final class NewsItem {
    private static final int DEPTH_MAX = 100;
    /** The attribute of RDF that has the address of an item. */
    private static final String ABOUT = "about";

    /**
     * What JDK 24 and later bound to 100 KB and a depth of 100 by themselves: an item of escaped HTML is often longer.
     * Here items are bounded by their bytes and {@link #DEPTH_MAX}, and no entity is expanded.
     */
    private static final List<String> OWN_LIMITS =
            List.of("jdk.xml.maxElementDepth", "jdk.xml.maxGeneralEntitySizeLimit", "jdk.xml.totalEntitySizeLimit");

    private static final XMLInputFactory XML = factory();

    /** Elements of other vocabularies, such as media and podcasts, may have the same names for other things. */
    private static final Set<String> PREFIXES = Set.of("", "atom", "a", "rss", "content", "dc", "dcterms", "rdf");

    private static final Pattern ILLEGAL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\ufffe\uffff]");
    private static final Pattern BARE_AMPERSAND = Pattern.compile("&(?!#\\d+;|#[xX][0-9a-fA-F]+;|\\w+;)");

    private final XMLStreamReader xml;
    private final Map<String, String> found = new HashMap<>();
    private @Nullable String link;

    /** It refers to an entity that a DTD would have to declare. */
    static final class EntityException extends Exception {
        private static final long serialVersionUID = 1L;

        EntityException() {
            super("it refers to an entity that neither XML nor HTML knows; those of a DTD are not expanded");
        }
    }

    private NewsItem(XMLStreamReader xml) {
        this.xml = xml;
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        OWN_LIMITS.forEach(limit -> factory.setProperty(limit, "0"));
        return factory;
    }

    /**
     * Reads one.
     *
     * @param item from its start tag to its end tag
     * @throws XMLStreamException if it is not well-formed, also with its ampersands mended
     */
    static RecordJson read(String item) throws XMLStreamException, EntityException, HtmlBoundException {
        String legal = ILLEGAL.matcher(item).replaceAll(" ");
        try {
            return parse(legal);
        } catch (XMLStreamException e) {
            String mended = BARE_AMPERSAND.matcher(legal).replaceAll("&amp;");
            if (mended.equals(legal)) {
                throw e;
            }
            return parse(mended);
        }
    }

    private static RecordJson parse(String item) throws XMLStreamException, EntityException, HtmlBoundException {
        XMLStreamReader xml;
        synchronized (XML) {
            xml = XML.createXMLStreamReader(new StringReader(item));
        }
        try {
            NewsItem read = new NewsItem(xml);
            read.fields();
            return read.json();
        } finally {
            xml.close();
        }
    }

    private void fields() throws XMLStreamException, EntityException, HtmlBoundException {
        int event = xml.next();
        while (event != XMLStreamConstants.START_ELEMENT) {
            event = xml.next();
        }
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            if (NewsItems.local(xml.getAttributeLocalName(i)).equals(ABOUT)) {
                keep(ABOUT, xml.getAttributeValue(i));
            }
        }
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                field();
            }
        }
    }

    private void field() throws XMLStreamException, EntityException, HtmlBoundException {
        String name = xml.getLocalName();
        int colon = name.indexOf(':');
        String prefix = colon < 0 ? "" : name.substring(0, colon).toLowerCase(Locale.ROOT);
        String local = NewsItems.local(name);
        if (local.equals("link")) {
            keepLink();
        }
        String type = xml.getAttributeValue(null, "type");
        String content = content(isMarkup(local, type));
        if (PREFIXES.contains(prefix)) {
            keep(local, content);
        }
    }

    /** What is text stays as it is; all else is markup, and what is escaped in it too. */
    private static boolean isMarkup(String local, @Nullable String type) {
        return "html".equals(type)
                || "xhtml".equals(type)
                || (Set.of("description", "encoded", "content", "summary").contains(local) && !"text".equals(type));
    }

    private void keepLink() {
        String href = xml.getAttributeValue(null, "href");
        String relation = xml.getAttributeValue(null, "rel");
        if (href != null && link == null && (relation == null || relation.equals("alternate"))) {
            link = href.strip();
        }
    }

    private void keep(String name, String value) {
        String stripped = value.strip();
        if (!stripped.isEmpty()) {
            found.putIfAbsent(name, stripped);
        }
    }

    /** Up to the end of the element; elements in it are written as markup again. */
    private String content(boolean isMarkup) throws XMLStreamException, EntityException, HtmlBoundException {
        StringBuilder content = new StringBuilder();
        boolean hasElements = false;
        int depth = 1;
        while (depth > 0) {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
                hasElements = true;
                content.append('<').append(xml.getLocalName()).append('>');
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
                content.append(depth > 0 ? "</" + xml.getLocalName() + ">" : "");
            } else if (event == XMLStreamConstants.ENTITY_REFERENCE) {
                content.append(entity(xml.getLocalName()));
            } else if (xml.isCharacters()) {
                content.append(depth > 1 ? Entities.escape(xml.getText()) : xml.getText());
            }
            if (depth > DEPTH_MAX) {
                throw HtmlBoundException.tooDeep();
            }
        }
        return isMarkup || hasElements ? HtmlText.ofFragment(content.toString()) : content.toString();
    }

    private static String entity(String name) throws EntityException {
        String reference = "&" + name + ";";
        String replaced = Parser.unescapeEntities(reference, false);
        if (replaced.equals(reference)) {
            throw new EntityException();
        }
        return replaced;
    }

    private RecordJson json() {
        String url = link != null ? link : first("link", ABOUT);
        String id = first("guid", "id", "identifier");
        return new RecordJson()
                .put(RecordJson.ID, id != null ? id : url)
                .put(RecordJson.URL, url)
                .put(RecordJson.TITLE, title())
                .put(RecordJson.TEXT, first("encoded", "content", "description", "summary"))
                .put(RecordJson.DATE, date(first("pubdate", "published", "date", "updated", "issued", "modified")));
    }

    private @Nullable String title() {
        String title = found.get("title");
        return title == null ? null : Parser.unescapeEntities(title, false);
    }

    private @Nullable String first(String... names) {
        for (String name : names) {
            String value = found.get(name);
            if (value != null) {
                return value;
            }
        }
        return null;
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

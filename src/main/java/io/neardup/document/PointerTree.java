package io.neardup.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** JSON pointers (RFC 6901) merged into a tree, so that one pass over a document follows all of them. */
final class PointerTree {
    static final int NO_TEXT = -1;

    private static final Pattern NO_ESCAPE = Pattern.compile("~(?![01])");

    private final Map<String, PointerTree> children = new HashMap<>();
    private boolean id;
    private int text = NO_TEXT;

    private PointerTree() {}

    /** @throws IllegalArgumentException for what is no pointer into an object, no text pointer or one given twice */
    static PointerTree of(String idPointer, List<String> textPointers) {
        if (textPointers.isEmpty() || new HashSet<>(textPointers).size() < textPointers.size()) {
            throw new IllegalArgumentException("expected one or more different text pointers, found " + textPointers);
        }
        PointerTree root = new PointerTree();
        root.grow(idPointer).id = true;
        for (int i = 0; i < textPointers.size(); i++) {
            root.grow(textPointers.get(i)).text = i;
        }
        return root;
    }

    private PointerTree grow(String pointer) {
        PointerTree node = this;
        for (String name : names(pointer)) {
            node = node.children.computeIfAbsent(name, unused -> new PointerTree());
        }
        return node;
    }

    private static List<String> names(String pointer) {
        if (!pointer.startsWith("/") || NO_ESCAPE.matcher(pointer).find()) {
            throw new IllegalArgumentException(
                    "expected a JSON pointer (RFC 6901) into an object, such as /text or /article/body, found \""
                            + pointer + "\"");
        }
        List<String> names = new ArrayList<>();
        for (String name : pointer.substring(1).split("/", -1)) {
            names.add(name.replace("~1", "/").replace("~0", "~"));
        }
        return names;
    }

    @Nullable
    PointerTree child(String name) {
        return children.get(name);
    }

    @Nullable
    PointerTree child(int index) {
        return children.get(Integer.toString(index));
    }

    /** Whether the id is here. */
    boolean isId() {
        return id;
    }

    /** Which of the texts is here, or {@link #NO_TEXT}. */
    int text() {
        return text;
    }
}

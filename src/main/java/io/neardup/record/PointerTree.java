package io.neardup.record;

import java.util.ArrayList;
import java.util.HashMap;
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
    private boolean scope;
    private int text = NO_TEXT;

    private PointerTree() {}

    /** @throws IllegalArgumentException for a pointer that does not point into an object */
    static PointerTree of(Pointers pointers) {
        PointerTree root = new PointerTree();
        HeaderNames headers = pointers.headers();
        if (headers.id() == null) {
            root.grow(pointers.id()).id = true;
        }
        for (int i = 0; i < pointers.texts().size(); i++) {
            root.grow(pointers.texts().get(i)).text = i;
        }
        String scopePointer = pointers.scope();
        if (scopePointer != null && headers.scope() == null) {
            root.grow(scopePointer).scope = true;
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

    /** Whether the scope is here. */
    boolean isScope() {
        return scope;
    }

    /** The number of the text that is here, or {@link #NO_TEXT}. */
    int text() {
        return text;
    }
}

package io.neardup.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON pointers (RFC 6901) merged into a tree, so that one pass over a value follows all of them. */
final class PointerTree {
    static final int NO_TEXT = -1;

    private final Map<String, PointerTree> children = new HashMap<>();
    private boolean isId;
    private boolean isScope;
    private int text = NO_TEXT;

    private PointerTree() {}

    /** @throws IllegalArgumentException for a pointer that does not point into an object */
    static PointerTree of(Pointers pointers) {
        PointerTree root = new PointerTree();
        if (pointers.idHeader() == null) {
            root.grow(pointers.id()).isId = true;
        }
        for (int i = 0; i < pointers.texts().size(); i++) {
            root.grow(pointers.texts().get(i)).text = i;
        }
        String scopePointer = pointers.scope();
        if (scopePointer != null && pointers.scopeHeader() == null) {
            root.grow(scopePointer).isScope = true;
        }
        return root;
    }

    /** A tree whose one name is at this pointer. */
    static PointerTree ofName(String pointer) {
        PointerTree root = new PointerTree();
        root.grow(pointer).isId = true;
        return root;
    }

    /** What lies below a name or an index; null where nobody asks for anything there. */
    static @Nullable PointerTree child(@Nullable PointerTree here, String name) {
        return here == null ? null : here.children.get(name);
    }

    boolean isId() {
        return isId;
    }

    boolean isScope() {
        return isScope;
    }

    /** The number of the text that is here, or {@link #NO_TEXT}. */
    int text() {
        return text;
    }

    private PointerTree grow(String pointer) {
        PointerTree node = this;
        for (String name : names(pointer)) {
            node = node.children.computeIfAbsent(name, unused -> new PointerTree());
        }
        return node;
    }

    private static List<String> names(String pointer) {
        if (!Pointers.isPointer(pointer)) {
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
}

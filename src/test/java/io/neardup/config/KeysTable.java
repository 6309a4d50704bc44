package io.neardup.config;

/** The settings, for the chapter on them. */
public final class KeysTable {
    private KeysTable() {}

    /** All settings as a table in Markdown; ends with a line feed. */
    public static String ofAll() {
        StringBuilder table = new StringBuilder("| key | default | value | for | meaning |\n|---|---|---|---|---|\n");
        for (Keys.Key<?> key : Keys.all()) {
            String defaultValue = key.defaultValue() == null ? "" : "`" + key.defaultValue() + "`";
            String row = String.join(
                    " | ", "`" + key.name() + "`", defaultValue, key.type().description(), key.facts());
            table.append("| " + row + " | " + key.meaning().replace("|", "\\|") + " |\n");
        }
        return table.toString();
    }
}

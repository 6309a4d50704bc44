package io.neardup.config;

import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** The settings as a table in Markdown, from their definition. */
public final class ConfigTable {
    private ConfigTable() {}

    /** Columns key, default and meaning; ends with a line feed. */
    public static String render() {
        StringBuilder table = new StringBuilder("| key | default | meaning |\n|---|---|---|\n");
        for (ConfigKey key : Keys.definition().configKeys().values()) {
            table.append("| `")
                    .append(key.name)
                    .append("` | ")
                    .append(defaultValue(key))
                    .append(" | ");
            table.append(key.documentation.replace("|", "\\|")).append(" |\n");
        }
        return table.toString();
    }

    private static String defaultValue(ConfigKey key) {
        return key.defaultValue == null ? "" : "`" + Expected.written(key.defaultValue) + "`";
    }
}

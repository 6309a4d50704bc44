package io.neardup.config;

import java.util.List;

/** The settings cannot be used. The message is for the operator and lists every problem at once. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /** @param problems one line each, at least one */
    public ConfigurationException(List<String> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    private static String message(List<String> problems) {
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        return count + " with the configuration:\n  " + String.join("\n  ", problems);
    }

    /** One line each: the key, the value found, what was expected and where it came from. */
    public List<String> problems() {
        return problems;
    }
}

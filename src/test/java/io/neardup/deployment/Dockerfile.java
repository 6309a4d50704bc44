package io.neardup.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The Dockerfile, as far as tests read it: instructions, each in a line.
 *
 * @param instructions of the last stage, which is the image
 * @param all those of the stages before it, too
 */
record Dockerfile(List<String> instructions, List<String> all) {
    private static final Pattern COMMENT = Pattern.compile("(?m)^#.*\n");
    private static final Pattern CONTINUED = Pattern.compile("\\\\\n\\s*");
    private static final Pattern INSTRUCTION = Pattern.compile("[A-Z]+ .*");

    /**
     * What a COPY takes.
     *
     * @param stage that it takes it from; empty where it is the repository
     */
    record Copy(String stage, String source, String target) {}

    static Dockerfile read() throws IOException {
        String text = CONTINUED
                .matcher(COMMENT.matcher(Files.readString(Path.of("docker/Dockerfile")))
                        .replaceAll(""))
                .replaceAll("");
        List<String> all = text.lines().filter(INSTRUCTION.asMatchPredicate()).toList();
        int last = all.lastIndexOf(
                all.stream().filter(line -> line.startsWith("FROM ")).reduce("", (before, from) -> from));
        return new Dockerfile(all.subList(last, all.size()), all);
    }

    static List<Copy> copies(List<String> instructions) {
        return instructions.stream()
                .filter(instruction -> instruction.startsWith("COPY "))
                .map(Dockerfile::copy)
                .toList();
    }

    private static Copy copy(String instruction) {
        List<String> words = Arrays.asList(instruction.strip().split("\\s+", -1));
        String stage = words.stream()
                .filter(word -> word.startsWith("--from="))
                .map(word -> word.substring("--from=".length()))
                .findFirst()
                .orElse("");
        return new Copy(stage, words.get(words.size() - 2), words.get(words.size() - 1));
    }

    /** The rest of the only instruction of this name. */
    String only(String name) {
        List<String> found = instructions.stream()
                .filter(instruction -> instruction.startsWith(name + " "))
                .toList();
        if (found.size() != 1) {
            throw new IllegalStateException("expected one " + name + " in the image, found " + found);
        }
        return found.get(0).substring(name.length()).strip();
    }

    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String pair : only("ENV").split("\\s+", -1)) {
            String[] parts = pair.split("=", 2);
            environment.put(parts[0], parts[1]);
        }
        return environment;
    }
}

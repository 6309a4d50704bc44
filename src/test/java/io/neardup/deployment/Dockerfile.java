package io.neardup.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Dockerfile, as far as tests read it.
 *
 * @param instructions of the last stage, which is the image
 * @param all those of the stages before it, too
 */
record Dockerfile(List<Instruction> instructions, List<Instruction> all) {
    private static final Pattern COMMENT = Pattern.compile("(?m)^#.*\n");
    private static final Pattern CONTINUED = Pattern.compile("\\\\\n\\s*");
    private static final Pattern INSTRUCTION = Pattern.compile("(?m)^(?<name>[A-Z]+) (?<rest>.*)$");

    record Instruction(String name, String rest) {}

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
        List<Instruction> all = new ArrayList<>();
        int last = 0;
        Matcher found = INSTRUCTION.matcher(text);
        while (found.find()) {
            if (found.group("name").equals("FROM")) {
                last = all.size();
            }
            all.add(new Instruction(found.group("name"), found.group("rest").strip()));
        }
        return new Dockerfile(all.subList(last, all.size()), all);
    }

    static List<Copy> copies(List<Instruction> instructions) {
        return instructions.stream()
                .filter(instruction -> instruction.name.equals("COPY"))
                .map(Dockerfile::copy)
                .toList();
    }

    private static Copy copy(Instruction instruction) {
        List<String> words = Arrays.asList(instruction.rest.split("\\s+", -1));
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
                .filter(instruction -> instruction.name.equals(name))
                .map(Instruction::rest)
                .toList();
        if (found.size() != 1) {
            throw new IllegalStateException("expected one " + name + " in the image, found " + found);
        }
        return found.get(0);
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

package io.neardup.sources;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the sources quote from others: read where the sources lie beside the project, as it is not ours to carry. */
final class Excerpts {
    private static final Path NEWS = Path.of("../shared/sources/000_39a18a71c7a5a1cd.txt");

    private Excerpts() {}

    /** The beginnings of documents 2 and 3 of RCV1, 345 characters each. */
    static List<String> documents2And3() throws IOException {
        return lines("CompuServe reports ");
    }

    /** The beginnings of documents 25 and 77 of RCV1, 445 characters each. */
    static List<String> documents25And77() throws IOException {
        return lines("Lloyd's ");
    }

    private static List<String> lines(String start) throws IOException {
        assumeTrue(Files.exists(NEWS), "needs " + NEWS);
        return Files.readAllLines(NEWS).stream()
                .filter(line -> line.startsWith(start))
                .toList();
    }
}

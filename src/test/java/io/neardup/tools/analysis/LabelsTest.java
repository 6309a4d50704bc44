package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelsTest {
    private static final List<Document> DOCUMENTS = Stream.of("a", "b", "c", "b")
            .map(id -> new Document(id, RawText.of("text"), ""))
            .toList();

    @TempDir
    private Path folder;

    /** Behind a byte order mark; of two documents of one id the first is meant. */
    @Test
    void shouldTakeAPairOnceAndInEitherOrder() throws IOException {
        Labels labels = read("\uFEFFb\ta\na,b\n");

        assertThat(labels.pairs()).isOne();
        assertThat(labels.unknown()).isZero();
        assertThat(labels.contain(0, 1)).isTrue();
        assertThat(labels.contain(1, 2)).isFalse();
        assertThat(read("b,c").contain(1, 2)).isTrue();
    }

    @Test
    void shouldTakeTheLastAnswerOnAPairAndNoneForOpen() throws IOException {
        Labels answers = read("a\tb\tsame\r\nb\ta\tOther\r\na\tb\t?\r\na\tc\t\r\na\tc\ts\r\n");

        assertThat(answers.others()).isOne();
        assertThat(answers.pairs()).isOne();
        assertThat(answers.open()).isZero();
    }

    @Test
    void shouldCountWhatIsNoPairAndNameAFewOfTheDocumentsThatAreNotThere() throws IOException {
        Labels labels = read("a,b\nc,c\na,v\nw,x\ny,z\n");

        assertThat(labels.pairs()).isOne();
        assertThat(labels.unknown()).isEqualTo(4);
        assertThat(labels.unknownIds()).containsExactly("v", "w", "x");
    }

    private Labels read(String text) throws IOException {
        return Labels.read(Files.writeString(folder.resolve("labels"), text), DOCUMENTS);
    }
}

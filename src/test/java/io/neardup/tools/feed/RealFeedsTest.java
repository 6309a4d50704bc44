package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of crawlers and news, where they are present: some are broken. */
class RealFeedsTest {
    private static final Path FOLDER = Path.of("../shared/data/feeds");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            archive.org.he.xinhuanet.com.25340717.html | 1   | ''
            aut-example.arc.gz                         | 130 | info 1, http-status 47, not-text 122
            auto-presse.de-minisuv.html                | 1   | ''
            cc-whirlwind.warc.gz                       | 1   | request 1, info 1, metadata 1
            cc-whirlwind.warc.wet.gz                   | 1   | info 1
            feed_dagster.xml                           | 187 | ''
            feed_paulgraham.xml                        | 231 | ''
            feed_weaviate.xml                          | 60  | ''
            resiliparse-clipped.warc.gz                | 0   | truncated 1
            ukwa-transfer_compression_brotli.warc.gz   | 2   | request 1, info 1, metadata 1
            warcio-example-iana.org-chunked.warc       | 1   | request 1, info 1
            warcio-example-trunc.warc                  | 1   | info 2, broken 1
            warcio-example.warc.gz                     | 1   | revisit 1, request 2, info 2
            winfuture.de-NASA.html                     | 1   | ''
            """)
    void shouldCountWhatAFileHas(String name, int records, String skippedTotals) throws IOException {
        Path file = FOLDER.resolve(name);
        assumeTrue(Files.exists(file), "no files to try: " + FOLDER);

        Reading reading = Reading.ofFiles(file.toString());

        assertThat(reading.records()).hasSize(records);
        assertThat(reading.skipped()).isEqualTo(skippedTotals);
        assertThat(reading.fields("id")).doesNotContain("");
    }
}

package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.record.Verdict.Position;
import io.neardup.streams.topology.OutputRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A dead letter of a service, taken apart. All headers of the service's own names are its: it takes those off that come
 * in.
 *
 * @param reason the code of why it is one
 * @param source where it came in
 * @param again the record as it came in, but for the header that says how often it was sent back; with the timestamp
 *     and the offset that the dead letter has
 * @param times how often it was sent back before
 */
public record DeadLetter(String reason, Position source, InputRecord again, boolean isWhole, int times) {

    /** Empty for a record that no service has made a dead letter. */
    public static Optional<DeadLetter> of(InputRecord letter) {
        Optional<String> reason = letter.header(OutputRecords.REASON);
        Optional<Position> source = Position.of(header(OutputRecords.SOURCE_TOPIC, letter) + "-"
                + header(OutputRecords.SOURCE_PARTITION, letter) + "-" + header(OutputRecords.SOURCE_OFFSET, letter));
        if (reason.isEmpty() || source.isEmpty()) {
            return Optional.empty();
        }
        Position from = source.get();
        // A topic that needs keys has the place where there was none.
        byte[] key = Arrays.equals(letter.key(), from.toString().getBytes(UTF_8)) ? null : letter.key();
        boolean isWhole = letter.header(OutputRecords.VALUE_BYTES).isEmpty();
        int times = letter.header(OutputRecords.REDRIVEN)
                .filter(digits -> digits.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .orElse(0);
        List<RecordHeader> headers = new ArrayList<>(OutputRecords.given(letter));
        headers.removeIf(header -> header.name().equals(OutputRecords.REDRIVEN));
        headers.add(new RecordHeader(
                OutputRecords.REDRIVEN, String.valueOf(times + 1).getBytes(UTF_8)));
        InputRecord again = new InputRecord(
                from.topic(), from.partition(), letter.offset(), letter.timestamp(), key, letter.value(), headers);
        return Optional.of(new DeadLetter(reason.get(), from, again, isWhole, times));
    }

    private static String header(String name, InputRecord letter) {
        return letter.header(name).orElse("");
    }
}

package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.streams.topology.OutputRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter of a service, taken apart.
 *
 * @param reason the code of why it is one
 * @param input the record as it came in, with the timestamp that the dead letter has
 * @param isWhole whether the value was kept
 * @param times how often it was sent back before
 */
record DeadLetter(String reason, InputRecord input, boolean isWhole, int times) {
    /** The most digits that are read of a number in a header. */
    private static final int DIGITS_MAX = 9;

    /** Empty for a record that no service has made a dead letter. */
    static Optional<DeadLetter> of(InputRecord letter) {
        int cut = lastOf(OutputRecords.REASON, letter.headers());
        if (cut < 0) {
            return Optional.empty();
        }
        List<RecordHeader> own = letter.headers().subList(0, cut);
        List<RecordHeader> added =
                letter.headers().subList(cut, letter.headers().size());
        String topic = text(OutputRecords.SOURCE_TOPIC, added);
        int partition = number(OutputRecords.SOURCE_PARTITION, added);
        if (topic.isEmpty() || partition < 0) {
            return Optional.empty();
        }
        String place = topic + "-" + partition + "-" + text(OutputRecords.SOURCE_OFFSET, added);
        InputRecord input = new InputRecord(
                topic, partition, letter.offset(), letter.timestamp(), key(letter, place), letter.value(), own);
        boolean isWhole = lastOf(OutputRecords.VALUE_BYTES, added) < 0;
        int times = Math.max(0, number(OutputRecords.REDRIVEN, own));
        return Optional.of(new DeadLetter(text(OutputRecords.REASON, added), input, isWhole, times));
    }

    /** A topic that needs keys has the place where there was none. */
    private static byte @Nullable [] key(InputRecord letter, String place) {
        return Arrays.equals(letter.key(), place.getBytes(UTF_8)) ? null : letter.key();
    }

    private static int lastOf(String name, List<RecordHeader> headers) {
        int last = headers.size() - 1;
        while (last >= 0 && !headers.get(last).name().equals(name)) {
            last--;
        }
        return last;
    }

    private static String text(String name, List<RecordHeader> headers) {
        int last = lastOf(name, headers);
        byte[] value = last < 0 ? null : headers.get(last).value();
        return value == null ? "" : new String(value, UTF_8);
    }

    /** -1 where there is none. */
    private static int number(String name, List<RecordHeader> headers) {
        String digits = text(name, headers);
        boolean isNumber = !digits.isEmpty()
                && digits.length() <= DIGITS_MAX
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Integer.parseInt(digits) : -1;
    }

    /** The record as it came in, but for the header that says how often it was sent back. */
    InputRecord again() {
        List<RecordHeader> headers = new ArrayList<>(input.headers());
        headers.removeIf(header -> header.name().equals(OutputRecords.REDRIVEN));
        headers.add(new RecordHeader(
                OutputRecords.REDRIVEN, String.valueOf(times + 1).getBytes(UTF_8)));
        return new InputRecord(
                input.topic(),
                input.partition(),
                input.offset(),
                input.timestamp(),
                input.key(),
                input.value(),
                headers);
    }
}

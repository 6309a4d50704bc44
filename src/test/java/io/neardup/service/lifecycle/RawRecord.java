package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/** A record as other clients than Kafka's own may write it: the name of its header is of any bytes. */
final class RawRecord {
    private static final short VERSION = 8;
    private static final int PATIENCE_MILLIS = 120_000;
    /** In a batch of records, and behind it what it is of. */
    private static final int CHECKSUM = 17;

    private RawRecord() {}

    /** Writes it to the first partition of a topic. */
    public static void send(String servers, String topic, byte[] value, byte[] headerName) throws IOException {
        ProduceRequestData produce = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(PATIENCE_MILLIS)
                .setTopicData(new TopicProduceDataCollection(List.of(new TopicProduceData()
                                .setName(topic)
                                .setPartitionData(List.of(
                                        new PartitionProduceData().setIndex(0).setRecords(records(value, headerName)))))
                        .iterator()));
        ByteBuffer request = RequestUtils.serialize(
                new RequestHeader(ApiKeys.PRODUCE, VERSION, "raw", 1).data(),
                ApiKeys.PRODUCE.requestHeaderVersion(VERSION),
                produce,
                VERSION);
        int colon = servers.lastIndexOf(':');
        try (Socket socket = new Socket(servers.substring(0, colon), Integer.parseInt(servers.substring(colon + 1)))) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            var out = Channels.newChannel(socket.getOutputStream());
            out.write(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(request.remaining())
                    .flip());
            out.write(request);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteBuffer answer = ByteBuffer.wrap(in.readNBytes(in.readInt()));
            answer.getInt();
            requireWritten(new ProduceResponseData(new ByteBufferAccessor(answer), VERSION));
        }
    }

    private static void requireWritten(ProduceResponseData answer) throws IOException {
        short code =
                answer.responses().iterator().next().partitionResponses().get(0).errorCode();
        if (code != Errors.NONE.code()) {
            throw new IOException("the broker did not take the record: " + Errors.forCode(code));
        }
    }

    /** Kafka writes names as UTF-8, so a stand-in of as many bytes is written, and then replaced. */
    private static MemoryRecords records(byte[] value, byte[] headerName) {
        String standIn = "~".repeat(headerName.length);
        Header[] headers = {new RecordHeader(standIn, new byte[] {1})};
        MemoryRecords records = MemoryRecords.withRecords(
                Compression.NONE, new SimpleRecord(System.currentTimeMillis(), null, value, headers));
        ByteBuffer batch = records.buffer();
        byte[] bytes = new byte[batch.remaining()];
        batch.get(0, bytes);
        batch.put(new String(bytes, US_ASCII).indexOf(standIn), headerName);
        CRC32C checksum = new CRC32C();
        checksum.update(batch.duplicate().position(CHECKSUM + Integer.BYTES));
        batch.putInt(CHECKSUM, (int) checksum.getValue());
        return MemoryRecords.readableRecords(batch);
    }
}

package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Locale;

/**
 * A request as it is on the line: clients of the JDK send none that is not well-formed. Every answer to one must be as
 * {@link OpenApi} describes it.
 */
final class RawRequest {
    private static final int PATIENCE_MILLIS = 120_000;

    private RawRequest() {}

    /**
     * What came back.
     *
     * @param head status line and headers, in small letters
     */
    record Answer(int status, String head, String body) {
        JsonNode json() throws IOException {
            return new ObjectMapper().readTree(body);
        }
    }

    /** Asks for a path, with further header lines. */
    static Answer get(int port, String path, String... headers) throws IOException {
        return send(port, "GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\n" + lines(headers) + "\r\n");
    }

    private static String lines(String... headers) {
        StringBuilder lines = new StringBuilder();
        for (String header : headers) {
            lines.append(header).append("\r\n");
        }
        return lines.toString();
    }

    /** Sends these characters and reads until the other side closes. */
    static Answer send(int port, String sent) throws IOException {
        try (Socket socket = connect(port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(sent.getBytes(UTF_8));
            Answer answer = answer(socket);
            OpenApi.check(sent, answer);
            return answer;
        }
    }

    /** What comes until the other side closes, or resets as it has not read all that was sent. */
    static Answer answer(Socket socket) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        boolean isReset = false;
        try {
            socket.getInputStream().transferTo(read);
        } catch (SocketException e) {
            isReset = true;
        }
        String answer = read.toString(UTF_8);
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IOException("expected the head of an answer, found " + answer);
        }
        String head = answer.substring(0, end).toLowerCase(Locale.ROOT);
        String body = answer.substring(end + 4);
        if (isReset && !(head + "\r\n").contains("\r\ncontent-length: " + body.getBytes(UTF_8).length + "\r\n")) {
            throw new IOException("expected a whole answer before the reset, found " + answer);
        }
        return new Answer(Integer.parseInt(head.substring(9, 12)), head, body);
    }

    static Socket connect(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }
}

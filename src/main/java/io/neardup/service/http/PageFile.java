package io.neardup.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A part of the page: a file of the jar, without any data. */
final class PageFile extends Handler.Abstract.NonBlocking {
    private final String type;
    private final byte[] content;

    PageFile(String name, String type) {
        this.type = type;
        try (InputStream file = Objects.requireNonNull(PageFile.class.getResourceAsStream(name), name)) {
            this.content = file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        return HttpReply.send(response, callback, HttpStatus.OK_200, type, content);
    }
}

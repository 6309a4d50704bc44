package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The standard output of this process, which tells whether it took all that was written to it. */
final class StandardOutput {
    private final PrintWriter writer = new PrintWriter(
            new OutputStreamWriter(new Watched(new FileOutputStream(FileDescriptor.out)), charset()), true);
    private volatile @Nullable IOException failure;

    PrintWriter writer() {
        return writer;
    }

    /** As the terminal or the locale says; where these say nothing, as in cron, UTF-8. */
    private static Charset charset() {
        String newer =
                System.getProperty("stdout.encoding", Charset.defaultCharset().name());
        String said = System.getProperty("sun.stdout.encoding", newer);
        boolean isTaken = Charset.isSupported(said) && !Charset.forName(said).equals(US_ASCII);
        return isTaken ? Charset.forName(said) : UTF_8;
    }

    /**
     * Flushes; returns whether everything was taken, or the reader of a pipe wanted no more, as head does. Else says
     * why not.
     */
    boolean finish(PrintWriter errors) {
        writer.flush();
        IOException found = failure;
        if (found == null || isPipe()) {
            return true;
        }
        errors.println("the standard output did not take everything: " + found.getMessage());
        errors.flush();
        return false;
    }

    /** Messages of the system are in the language of the locale. */
    private boolean isPipe() {
        try {
            String leadsTo = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return leadsTo.startsWith("pipe:") || leadsTo.startsWith("socket:");
        } catch (IOException | UnsupportedOperationException e) {
            return String.valueOf(failure).contains("Broken pipe");
        }
    }

    /** PrintWriter keeps silent about what fails. */
    private final class Watched extends FilterOutputStream {
        Watched(OutputStream out) {
            super(new BufferedOutputStream(out));
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            watch(() -> out.write(bytes, from, count));
        }

        @Override
        public void flush() throws IOException {
            watch(out::flush);
        }

        private void watch(Write write) throws IOException {
            try {
                write.run();
            } catch (IOException e) {
                failure = failure == null ? e : failure;
                throw e;
            }
        }
    }

    private interface Write {
        void run() throws IOException;
    }
}

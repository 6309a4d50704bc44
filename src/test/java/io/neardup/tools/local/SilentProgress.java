package io.neardup.tools.local;

/** Nobody looks. */
final class SilentProgress implements LocalProgress {
    @Override
    public void phase(String what) {}

    @Override
    public void update(LocalSnapshot snapshot) {}
}

// The main of a test program that brings none of its own.

extern "C" int muster_main(int argc, char** argv);

int main(int argc, char** argv) { return muster_main(argc, argv); }

// Debian's Wine lacks this library of Windows 10, of which Rust's standard library calls one function. It is for tests alone.
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
  return SystemFunction036(bytes, (ULONG)length);
}

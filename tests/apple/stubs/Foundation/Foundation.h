// The declarations of Apple's Foundation that the iOS example uses, to parse it without an Apple
// SDK. Written from the documentation.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type

NS_ASSUME_NONNULL_BEGIN

typedef signed char BOOL;
#define nil ((id)0)
#define YES ((BOOL)1)
#define NO ((BOOL)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;

@class NSString;

@interface NSObject
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
+ (nullable instancetype)stringWithUTF8String:(const char *)bytes;
@property(readonly, nullable) const char *UTF8String;
@property(readonly, copy) NSString *localizedDescription;
@end

typedef NSString *NSErrorUserInfoKey;
typedef NSString *NSErrorDomain;
extern NSErrorUserInfoKey const NSLocalizedDescriptionKey;

@interface NSDictionary<Key, Value> : NSObject
+ (instancetype)dictionaryWithObjects:(const Value _Nonnull [_Nullable])objects
                              forKeys:(const Key _Nonnull [_Nullable])keys
                                count:(NSUInteger)count;
@end

@interface NSError : NSObject
+ (instancetype)errorWithDomain:(NSErrorDomain)domain
                           code:(NSInteger)code
                       userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)userInfo;
@property(readonly, copy) NSString *localizedDescription;
@end

@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle;
- (nullable NSString *)pathForResource:(nullable NSString *)name ofType:(nullable NSString *)extension;
@end

@interface NSNotification : NSObject
@end

typedef NSString *NSNotificationName;

@interface NSNotificationCenter : NSObject
@property(class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer
           selector:(SEL)selector
               name:(nullable NSNotificationName)name
             object:(nullable id)object;
- (void)removeObserver:(id)observer;
@end

// From libdispatch, which Foundation includes.
@interface OS_dispatch_queue : NSObject
@end
typedef OS_dispatch_queue *dispatch_queue_t;
typedef void (^dispatch_block_t)(void);
dispatch_queue_t dispatch_queue_create(const char *_Nullable label, void *_Nullable attribute);
void dispatch_async(dispatch_queue_t queue, dispatch_block_t block);

// From string.h, which Foundation includes.
void *memcpy(void *to, const void *from, size_t length);

NS_ASSUME_NONNULL_END
